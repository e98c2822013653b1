// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.streams;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files of one directory, written and read in 64-KiB calls by some streams at once. */
public final class SeveralStreams {

  private final FileSystem fileSystem;
  private final Path directory;
  private final StreamCalls calls;

  public SeveralStreams(FileSystem fileSystem, Path directory) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.calls = new StreamCalls(fileSystem);
  }

  /**
   * Writes, replacing what was there; MiB/s of all streams together, until the last is closed.
   *
   * @param bytes of each, a multiple of 64 KiB
   */
  public double write(int streams, long bytes) throws IOException {
    fileSystem.delete(directory, true);
    return atOnce(streams, bytes, file -> calls.write(file, bytes));
  }

  /** Reads what {@link #write} wrote; MiB/s of all streams together. */
  public double read(int streams, long bytes) throws IOException {
    return atOnce(streams, bytes, file -> calls.read(file, bytes));
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
