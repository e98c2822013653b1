// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WrappedStores;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool takes long to open, as one of which only a monitor that does not answer can tell. */
class StoresTest {

  private final CountDownLatch slowAsked = new CountDownLatch(1);
  private final CountDownLatch slowOpens = new CountDownLatch(1);
  private final AtomicInteger slowOnesOpen = new AtomicInteger();
  private Stores stores;

  @BeforeEach
  void open() throws IOException {
    stores =
        new Stores(
            WrappedStores.of(
                SimulatedCluster.withPools("meta", "slow").client("client").connect(),
                this::slowly),
            Authority.of(URI.create("rados://meta/")),
            "client.admin",
            store -> store);
  }

  private ObjectStore slowly(ObjectStore store) throws IOException {
    if (!store.pool().equals("slow")) {
      return store;
    }
    slowAsked.countDown();
    try {
      slowOpens.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted looking for pool slow");
    }
    slowOnesOpen.incrementAndGet();
    return new ForwardingObjectStore(store) {
      @Override
      public void close() throws IOException {
        slowOnesOpen.decrementAndGet();
        super.close();
      }
    };
  }

  private CompletableFuture<ObjectStore> opening(String pool) {
    CompletableFuture<ObjectStore> opened = new CompletableFuture<>();
    started(pool, opened);
    return opened;
  }

  private Thread started(String pool, CompletableFuture<ObjectStore> opened) {
    Thread thread =
        new Thread(
            () -> {
              try {
                opened.complete(stores.of(pool));
              } catch (IOException | RuntimeException | Error e) {
                opened.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void thePoolsThatAreOpenAreNotWaitedFor() throws Exception {
    ObjectStore open = stores.of("meta");
    CompletableFuture<ObjectStore> slow = opening("slow");
    assertThat(slowAsked.await(10, TimeUnit.SECONDS)).isTrue();

    assertThat(opening("meta").get(10, TimeUnit.SECONDS)).isSameAs(open);

    assertThat(slow).isNotDone();
    slowOpens.countDown();
    assertThat(slow.get(10, TimeUnit.SECONDS)).isSameAs(stores.of("slow"));
    stores.close();
    assertThat(slowOnesOpen).hasValue(0);
  }

  @Test
  void twoThreadsHaveOneStore() throws Exception {
    CompletableFuture<ObjectStore> one = opening("slow");
    CompletableFuture<ObjectStore> other = opening("slow");
    slowOpens.countDown();

    assertThat(one.get(10, TimeUnit.SECONDS)).isSameAs(other.get(10, TimeUnit.SECONDS));

    stores.close();
    assertThat(slowOnesOpen).hasValue(0);
  }

  /** As where a task is killed that was the first to write to the pool. */
  @Test
  void anInterruptOfTheOneThatOpensIsItsOwnAlone() throws Exception {
    CompletableFuture<ObjectStore> first = new CompletableFuture<>();
    Thread interrupted = started("slow", first);
    assertThat(slowAsked.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<ObjectStore> second = new CompletableFuture<>();
    Thread waiting = started("slow", second);
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    interrupted.interrupt();

    assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedIOException.class);
    slowOpens.countDown();
    assertThat(second.get(10, TimeUnit.SECONDS)).isSameAs(stores.of("slow"));
  }

  /** Nor a connection, which is kept for whatever is open. */
  @Test
  void closingLeavesNothingOpen() throws Exception {
    CompletableFuture<ObjectStore> slow = opening("slow");
    assertThat(slowAsked.await(10, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> {
              try {
                stores.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> new Thread(task).start());
    slowOpens.countDown();

    closed.get(10, TimeUnit.SECONDS);

    assertThat(slowOnesOpen).hasValue(0);
    assertThat(slow.get(10, TimeUnit.SECONDS)).isNotNull();
    assertThatThrownBy(() -> stores.of("slow")).hasMessageContaining("closed");
  }

  /** The next one asks again. */
  @Test
  void whoWaitsForAPoolThatIsNotThereIsToldSo() throws Exception {
    assertThatThrownBy(() -> stores.of("none")).isInstanceOf(NoSuchPoolException.class);
    assertThatThrownBy(() -> opening("none").get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(NoSuchPoolException.class);
  }
}
