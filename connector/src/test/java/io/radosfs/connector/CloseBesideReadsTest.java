// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.WrappedStores;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A file system is closed while a read goes on, as when a process ends before its tasks do. Answers
 * come as those of librados do: all in one thread, which goes on with what depends on them, and a
 * store that is closed waits for them.
 */
class CloseBesideReadsTest {

  private static final int STRIPE = 1 << 10;

  /** More than a vectored read has under way at a time. */
  private static final int STRIPES = 40;

  private static final long BOUND_MILLIS = 3_000;

  private static ExecutorService answers;
  private static CountDownLatch answering;
  private static CountDownLatch closing;
  private static volatile boolean waitedInVain;

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("meta"));

  /** Connects to the simulation, with answers in a thread of their own. */
  public static final class OneThread implements ClusterFactory {

    @Override
    public Cluster connect(Settings settings) throws IOException {
      return WrappedStores.of(new SimulatedConnections().connect(settings), Answered::new);
    }
  }

  private static final class Answered extends ForwardingObjectStore {

    private int underWay;

    private Answered(ObjectStore store) {
      super(store);
    }

    @Override
    public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
      CompletableFuture<ReadResult> answer = new CompletableFuture<>();
      synchronized (this) {
        underWay++;
      }
      answers.execute(
          () -> {
            try {
              answering.await();
              answer.complete(super.readAsync(object, op).join());
            } catch (InterruptedException | CompletionException e) {
              answer.completeExceptionally(e);
            } finally {
              done();
            }
          });
      return answer;
    }

    private synchronized void done() {
      underWay--;
      notifyAll();
    }

    @Override
    public void close() throws IOException {
      closing.countDown();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS);
      synchronized (this) {
        while (underWay > 0 && !waitedInVain) {
          long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
          waitedInVain = left <= 0;
          try {
            wait(Math.max(1, left));
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
      }
      super.close();
    }
  }

  @BeforeEach
  void begin() {
    answers = Executors.newSingleThreadExecutor();
    answering = new CountDownLatch(0);
    closing = new CountDownLatch(1);
    waitedInVain = false;
    conf.set(Options.CLUSTER_FACTORY.key(), OneThread.class.getName());
    conf.set(Options.OBJECT_SIZE.key(), Integer.toString(STRIPE));
  }

  @AfterEach
  void end() {
    answers.shutdownNow();
  }

  @Test
  void whatGoesOnInTheThreadOfAnAnswerDoesNotWaitForTheClosing() throws Exception {
    FileSystem fs = FileSystem.get(URI.create("rados://meta/"), conf);
    try (FSDataOutputStream out = fs.create(new Path("/a"))) {
      out.write(new byte[STRIPES * STRIPE]);
    }
    FSDataInputStream in = fs.open(new Path("/a"));
    answering = new CountDownLatch(1);
    List<FileRange> ranges = new ArrayList<>();
    for (int i = 0; i < STRIPES; i++) {
      ranges.add(FileRange.createFileRange((long) i * STRIPE, STRIPE));
    }
    in.readVectored(ranges, ByteBuffer::allocate);

    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> {
              try {
                fs.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> new Thread(task, "closing").start());
    assertThat(closing.await(10, TimeUnit.SECONDS)).isTrue();
    answering.countDown();

    closed.get(20, TimeUnit.SECONDS);
    assertThat(waitedInVain).as("the operations under way were answered").isFalse();
    for (FileRange range : ranges) {
      assertThat(range.getData().handle((data, thrown) -> true).get(10, TimeUnit.SECONDS)).isTrue();
    }
    // What was sent is answered; what was not fails.
    assertThat(ranges.get(0).getData()).isCompleted();
    assertThat(ranges.get(STRIPES - 1).getData()).isCompletedExceptionally();
    in.close();
  }

  /** As a reader of a footer, and then of what it leads to. */
  @Test
  void whatDependsOnARangeMayReadAndWait() throws Exception {
    try (FileSystem fs = FileSystem.get(URI.create("rados://meta/"), conf)) {
      try (FSDataOutputStream out = fs.create(new Path("/a"))) {
        out.write(new byte[STRIPES * STRIPE]);
      }
      try (FSDataInputStream in = fs.open(new Path("/a"))) {
        List<FileRange> ranges =
            List.of(FileRange.createFileRange(0, 10), FileRange.createFileRange(STRIPE, 10));
        answering = new CountDownLatch(1);
        in.readVectored(ranges, ByteBuffer::allocate);
        CompletableFuture<Integer> both =
            ranges
                .get(0)
                .getData()
                .thenCombine(ranges.get(1).getData(), (first, second) -> readMore(in));
        answering.countDown();

        assertThat(both.get(20, TimeUnit.SECONDS)).isEqualTo(STRIPE);
      }
    }
  }

  /** Whatever they wait by: more of them than there are cores. */
  @Test
  void whatDependsOnRangesMayWaitForWhatDependsOnOthers() throws Exception {
    try (FileSystem fs = FileSystem.get(URI.create("rados://meta/"), conf)) {
      try (FSDataOutputStream out = fs.create(new Path("/a"))) {
        out.write(new byte[STRIPES * STRIPE]);
      }
      try (FSDataInputStream in = fs.open(new Path("/a"))) {
        answering = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(STRIPES);
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < STRIPES; i++) {
          ranges.add(FileRange.createFileRange((long) i * STRIPE, STRIPE));
        }
        in.readVectored(ranges, ByteBuffer::allocate);
        List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
        for (FileRange range : ranges) {
          waiting.add(range.getData().thenApply(bytes -> isLast(all)));
        }
        answering.countDown();

        for (CompletableFuture<Boolean> each : waiting) {
          assertThat(each.get(20, TimeUnit.SECONDS)).isTrue();
        }
      }
    }
  }

  private static boolean isLast(CountDownLatch all) {
    all.countDown();
    try {
      return all.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By each way that waits for the answer, and so for the thread that brings it. */
  private static int readMore(FSDataInputStream in) {
    try {
      byte[] bytes = new byte[STRIPE];
      in.readFully(3 * STRIPE, bytes);
      in.seek(5 * STRIPE);
      in.readFully(bytes);
      FileRange range = FileRange.createFileRange(7 * STRIPE, STRIPE);
      in.readVectored(List.of(range), ByteBuffer::allocate);
      return range.getData().join().remaining();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
