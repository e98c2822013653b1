// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads files over and over, in a thread and a file system of its own, and compares each byte. Its
 * first error ends it.
 */
final class SteadyReader implements AutoCloseable {

  private static final long BOUND_SECONDS = 120;

  private final String pool;
  private final FileSystem fs;
  private final Map<String, byte[]> expected;
  private final Thread thread = new Thread(this::run, "steady reader");
  private volatile boolean ended;
  private final AtomicLong rounds = new AtomicLong();
  private volatile Throwable failure;

  /**
   * @param expected contents by path; locked by whoever adds some
   */
  SteadyReader(String pool, Configuration conf, Map<String, byte[]> expected) throws IOException {
    this.pool = pool;
    this.fs = FileSystem.newInstance(URI.create("rados://" + pool + "/"), conf);
    this.expected = expected;
    thread.start();
  }

  /** How often it has read all files. */
  long rounds() {
    return rounds.get();
  }

  /** Waits until it has read all files so many times more, or has failed. */
  void awaitRounds(int more) throws InterruptedException {
    long wanted = rounds() + more;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (rounds() < wanted && failure == null) {
      assertThat(System.nanoTime()).as("the reader stands still").isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  void assertFine() {
    if (failure != null) {
      throw new AssertionError("the reader failed after " + rounds() + " rounds", failure);
    }
  }

  private void run() {
    try {
      while (!ended) {
        Map<String, byte[]> now;
        synchronized (expected) {
          now = new TreeMap<>(expected);
        }
        for (Map.Entry<String, byte[]> file : now.entrySet()) {
          read(file.getKey(), file.getValue());
        }
        rounds.incrementAndGet();
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  private void read(String path, byte[] content) throws IOException {
    try (var in = fs.open(new Path("rados://" + pool + "/" + path))) {
      byte[] found = in.readAllBytes();
      int different = Arrays.mismatch(found, content);
      assertThat(different).as("first wrong byte of %s", path).isEqualTo(-1);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    ended = true;
    thread.join(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
    assertThat(thread.isAlive()).as("the reader has not ended").isFalse();
    fs.close();
  }
}
