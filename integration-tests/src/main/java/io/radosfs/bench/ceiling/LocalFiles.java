// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * As many bytes in files on the local disk, by nothing but calls to the kernel: what a job needs
 * there to have them written and read. Nothing is forced to the disk, as no job does, and what was
 * written is read from the page cache. Not thread-safe.
 */
public final class LocalFiles {

  private final List<Path> files = new ArrayList<>();
  private final Path directory;
  private final int bytes;

  /**
   * Files, none of which is written yet.
   *
   * @param directory is made if it is not there
   * @param bytes those of each file
   */
  public LocalFiles(Path directory, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      files.add(directory.resolve("file-" + i));
    }
    this.directory = directory;
    this.bytes = bytes;
  }

  /**
   * Writes all files, one after another, or replaces them.
   *
   * @param content what is written again and again, with one call each time; its length divides
   *     that of a file
   */
  public void write(byte[] content) throws IOException {
    Path unused = Files.createDirectories(directory);
    for (Path file : files) {
      try (OutputStream stream = Files.newOutputStream(file)) {
        for (int at = 0; at < bytes; at += content.length) {
          stream.write(content);
        }
      }
    }
  }

  /**
   * Reads all files, with as large calls as the buffer is. Nobody looks at the bytes.
   *
   * @throws IOException also if a file does not have so many
   */
  public void read(byte[] buffer) throws IOException {
    for (Path file : files) {
      long total = 0;
      try (InputStream stream = Files.newInputStream(file)) {
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
          total += count;
        }
      }
      if (total != bytes) {
        throw new IOException("read " + total + " bytes of " + bytes + " from " + file);
      }
    }
  }

  /** Removes those that are there. */
  public void remove() throws IOException {
    for (Path file : files) {
      boolean unused = Files.deleteIfExists(file);
    }
  }
}
