// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of one directory, written and read in 64-KiB calls by some streams at once. */
final class SeveralStreams {

  private static final int CALL = 64 << 10;

  private final FileSystem fileSystem;
  private final Path directory;
  private final byte[] content = new byte[CALL];

  SeveralStreams(FileSystem fileSystem, Path directory) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    new SplittableRandom(1).nextBytes(content);
  }

  /**
   * Writes, replacing what was there; MiB/s of all streams together, until the last is closed.
   *
   * @param bytes of each, a multiple of 64 KiB
   */
  double write(int streams, long bytes) throws IOException {
    fileSystem.delete(directory, true);
    return atOnce(
        streams,
        bytes,
        file -> {
          try (OutputStream stream = fileSystem.create(file, true)) {
            for (long at = 0; at < bytes; at += CALL) {
              stream.write(content);
            }
          }
        });
  }

  /** Reads what {@link #write} wrote; MiB/s of all streams together. */
  double read(int streams, long bytes) throws IOException {
    return atOnce(
        streams,
        bytes,
        file -> {
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
        });
  }

  /** What one stream does. */
  @FunctionalInterface
  private interface Work {
    void on(Path file) throws IOException;
  }

  private double atOnce(int streams, long bytes, Work work) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(streams);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int stream = 0; stream < streams; stream++) {
        Path file = new Path(directory, "stream-" + stream);
        tasks.add(
            () -> {
              work.on(file);
              return null;
            });
      }
      long started = System.nanoTime();
      for (Future<Void> done : threads.invokeAll(tasks)) {
        Void unused = done.get();
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      return streams * (bytes / (double) (1 << 20)) / seconds;
    } catch (ExecutionException e) {
      throw new IOException("a stream failed", e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while streams work");
    } finally {
      threads.shutdownNow();
    }
  }
}
