// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.streams;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes and reads files by one stream each, in calls of one size. Their bytes are the same 64 KiB,
 * over and over, from the Java heap. Thread-safe as far as the file system is.
 */
public final class StreamCalls {

  /** Bytes of a call, unless another number is told. */
  public static final int CALL = 64 << 10;

  /** Bytes of a call of programs that write little at a time. */
  public static final int SMALL_CALL = 1024;

  private static final int SMALL_STRIPE = 64 << 10;
  private static final int WARM_STRIPES = 6_000;

  private final FileSystem fileSystem;
  private final byte[] content = new byte[CALL];

  public StreamCalls(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
    new SplittableRandom(1).nextBytes(content);
  }

  /** Creates a file, or replaces it, writes it in calls of 64 KiB, and closes it. */
  public void write(Path file, long bytes) throws IOException {
    write(file, bytes, CALL);
  }

  /**
   * The same in smaller calls.
   *
   * @param bytes a multiple of the call's
   * @param call bytes of one, a power of two of at most 64 KiB; one byte is given as such
   */
  public void write(Path file, long bytes, int call) throws IOException {
    try (OutputStream stream = fileSystem.create(file, true)) {
      if (call == 1) {
        for (long at = 0; at < bytes; at++) {
          stream.write(content[(int) (at % CALL)]);
        }
      } else {
        for (long at = 0; at < bytes; at += call) {
          stream.write(content, (int) (at % CALL), call);
        }
      }
    }
  }

  /**
   * Opens a file, reads it in calls of 64 KiB, and closes it. Nobody looks at the bytes.
   *
   * @throws IOException also if it does not have so many
   */
  public void read(Path file, long bytes) throws IOException {
    byte[] buffer = new byte[CALL];
    long total = 0;
    try (InputStream stream = fileSystem.open(file)) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        total += count;
      }
    }
    if (total != bytes) {
      throw new IOException("read " + total + " bytes of " + bytes + " from " + file);
    }
  }

  /** That a file has the bytes that {@link #write} wrote; for what is not measured. */
  public void verify(Path file, long bytes) throws IOException {
    try (InputStream stream = fileSystem.open(file)) {
      for (long at = 0; at < bytes; at += CALL) {
        if (!Arrays.equals(stream.readNBytes(CALL), content)) {
          throw new IOException("other bytes than written to " + file + " at " + at);
        }
      }
    }
  }

  /**
   * Writes and reads so many stripes that the JVM has compiled all that is done for one, as in a
   * process that has worked for a while: else that takes a tenth of the client's processor time, in
   * all that is measured. Small stripes, as it is their number that counts. On rados:// only.
   *
   * @param directory is made, and has stripes of that size from then on
   */
  public void warmUp(Path directory) throws IOException {
    fileSystem.mkdirs(directory);
    DataLayout unused =
        ((RadosFileSystem) fileSystem)
            .mount()
            .layouts()
            .change(
                FsPath.parse(directory.toUri().getPath()),
                before -> before.withObjectSize(Optional.of(SMALL_STRIPE)));
    Path file = new Path(directory, "file");
    long bytes = WARM_STRIPES * (long) SMALL_STRIPE;
    for (int call : List.of(CALL, SMALL_CALL)) {
      write(file, bytes, call);
      read(file, bytes);
    }
    fileSystem.delete(file, false);
  }
}
