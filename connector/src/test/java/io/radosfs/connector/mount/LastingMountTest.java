// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.retry.Pauses;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.VirtualPauses;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a mount is made anew, and how often. */
class LastingMountTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final SimulatedClient client = cluster.client("client.admin");
  private final List<Long> paused = new CopyOnWriteArrayList<>();
  private volatile Runnable inPause = () -> {};
  private final Pauses virtual = new VirtualPauses();
  private final Pauses pauses =
      new Pauses() {
        @Override
        public long nanoTime() {
          return virtual.nanoTime();
        }

        @Override
        public void pause(Duration longest) throws InterruptedIOException {
          paused.add(longest.toSeconds());
          inPause.run();
          virtual.pause(longest);
        }
      };
  private final LastingMount lasting;

  LastingMountTest() throws IOException {
    lasting =
        new LastingMount(
            Mount.open(
                Authority.of(URI.create("rados://meta")),
                SimulatedConnections.configuration(cluster)),
            pauses);
  }

  @AfterEach
  void close() throws IOException {
    lasting.close();
  }

  private void cutOff() throws IOException {
    client.blocklist();
    assertThatThrownBy(() -> lasting.current().namespace().list(FsPath.ROOT))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BLOCKLISTED));
  }

  @Test
  void oneThatWorksStays() throws IOException {
    Mount first = lasting.current();
    first.namespace().list(FsPath.ROOT);
    client.faults().atOp(client.ops() + 1, Fault.failWith(Kind.PERMISSION_DENIED));
    assertThatThrownBy(() -> first.namespace().list(FsPath.ROOT)).isInstanceOf(IOException.class);
    assertThat(lasting.current()).isSameAs(first);
    assertThat(paused).isEmpty();
  }

  @Test
  void theFirstTimeItConnectsAtOnceThenAfterPausesThatGrow() throws IOException {
    for (int i = 0; i < 8; i++) {
      Mount before = lasting.current();
      cutOff();
      assertThat(lasting.current()).isNotSameAs(before);
      assertThat(lasting.current()).isSameAs(lasting.latest());
    }
    assertThat(paused).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    virtual.pause(Duration.ofMinutes(5));
    cutOff();
    lasting.current();
    assertThat(paused).as("a connection that was of use for long").hasSize(7);
  }

  /** As where the whole range of the machine's addresses is on the list. */
  @Test
  void aFailedTryCountsToo() throws IOException {
    cutOff();
    for (int i = 0; i < 3; i++) {
      client.faults().atOp(client.ops() + 1, Fault.BLOCKLIST);
      assertThatThrownBy(lasting::current)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BLOCKLISTED));
    }
    assertThat(lasting.current().namespace().list(FsPath.ROOT)).isEmpty();
    assertThat(paused).containsExactly(1L, 2L, 4L);
  }

  /** As one that was emptied that way, while a session of Spark stayed open. */
  @Test
  void aPoolThatWasMadeAgainIsUsedAnew() throws IOException {
    lasting.current().namespace().mkdirs(FsPath.ROOT.child("d"), SimulatedMount.ATTRIBUTES);
    cluster.removePool("meta").addReplicatedPool("meta");
    poolIsGone();
    assertThat(lasting.current().namespace().list(FsPath.ROOT)).isEmpty();
    lasting.current().namespace().mkdirs(FsPath.ROOT.child("e"), SimulatedMount.ATTRIBUTES);
    assertThat(lasting.current().namespace().list(FsPath.ROOT))
        .extracting(Child::path)
        .containsExactly(FsPath.ROOT.child("e"));
    assertThat(paused).isEmpty();
  }

  @Test
  void oneThatIsMissingIsSaidToBeUntilItIsThere() throws IOException {
    lasting.current().namespace().mkdirs(FsPath.ROOT.child("d"), SimulatedMount.ATTRIBUTES);
    cluster.removePool("meta");
    poolIsGone();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(lasting::current)
          .isInstanceOf(NoSuchPoolException.class)
          .hasMessageContaining("the cluster has no pool 'meta'");
    }
    cluster.addReplicatedPool("meta");
    assertThat(lasting.current().namespace().list(FsPath.ROOT)).isEmpty();
    assertThat(paused).isEmpty();
  }

  private void poolIsGone() throws IOException {
    assertThatThrownBy(() -> lasting.current().namespace().list(FsPath.ROOT))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.POOL_GONE));
  }

  @Test
  void anInterruptEndsTheWaiting() throws IOException {
    cutOff();
    lasting.current();
    cutOff();
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(lasting::current).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      boolean unused = Thread.interrupted();
    }
    assertThat(lasting.current().namespace().list(FsPath.ROOT)).isEmpty();
  }

  @Test
  void whatWasBegunBeforeStaysWithItsConnection() throws IOException {
    Mount before = lasting.current();
    cutOff();
    Mount after = lasting.current();
    int ops = client.ops();
    assertThatThrownBy(() -> before.namespace().list(FsPath.ROOT))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BLOCKLISTED));
    assertThat(client.ops()).as("nothing is sent").isEqualTo(ops);
    assertThat(after.namespace().list(FsPath.ROOT)).isEmpty();
  }

  /** Whoever only has jobs to keep alive connects anew too. */
  @Test
  void theRenewalOfLedgersAsksForIt() throws Exception {
    Mount before = lasting.current();
    cutOff();
    Mount after = lasting.currentAsync().get();
    assertThat(after).isNotSameAs(before).isSameAs(lasting.latest());
  }

  @Test
  void onceClosedItIsNotMadeAnew() throws IOException {
    cutOff();
    lasting.close();
    assertThatThrownBy(lasting::current).hasMessageContaining("Filesystem closed");
  }

  /**
   * As where the network keeps the machine out too. Each try may pause half a minute, and take as
   * long again to fail.
   */
  @Test
  void whoHasWaitedForATryThatFailedDoesNotTryToo() throws Exception {
    cutOff();
    lasting.current();
    cutOff();
    paused.clear();
    CountDownLatch trying = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    inPause =
        () -> {
          client.faults().atOp(client.ops() + 1, Fault.BLOCKLIST);
          trying.countDown();
          assertThatCode(go::await).doesNotThrowAnyException();
        };
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread = new Thread(() -> failures.add(catchThrowable(lasting::current)));
      threads.add(thread);
      thread.start();
      trying.await();
    }
    for (Thread waiting : threads.subList(1, threads.size())) {
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(paused).as("pauses, one after another").containsExactly(1L);
    assertThat(failures)
        .hasSize(threads.size())
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(Kind.BLOCKLISTED)));
    inPause = () -> {};
    assertThat(lasting.current().namespace().list(FsPath.ROOT)).isEmpty();
  }
}
