// SPDX-License-Identifier: Apache-2.0
package io.radosfs.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rows of a Markdown table, ordered by their first cell, one row for each. Several JVMs may add to
 * the same file at once; no row of any of them is lost.
 */
public record SharedRows(Path file) {

  /**
   * Adds rows, each in the place of an earlier one with the same first cell.
   *
   * @param rows each by its first cell
   */
  public void add(SortedMap<String, String> rows) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        FileLock held = channel.lock()) {
      SortedMap<String, String> all = rowsOf(channel);
      all.putAll(rows);
      channel.truncate(0);
      String text = String.join("\n", all.values()) + "\n";
      for (ByteBuffer left = UTF_8.encode(text); left.hasRemaining(); ) {
        int written = channel.write(left);
      }
    }
  }

  /**
   * Reads by the channel that holds the lock, and closes nothing: POSIX ends all locks of a process
   * on a file as soon as the process closes any descriptor of that file.
   */
  private static SortedMap<String, String> rowsOf(FileChannel channel) throws IOException {
    SortedMap<String, String> rows = new TreeMap<>();
    byte[] text = Channels.newInputStream(channel).readAllBytes();
    new String(text, UTF_8).lines().forEach(row -> rows.put(row.split("\\|")[1].strip(), row));
    return rows;
  }
}
