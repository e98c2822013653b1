// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharingTest {

  private final List<String> events = new ArrayList<>();
  private boolean fail;

  private final Sharing<String, AutoCloseable> sharing =
      new Sharing<>(
          key -> {
            if (fail) {
              throw new IOException("no way to " + key);
            }
            events.add("made " + key);
            return () -> events.add("closed " + key);
          });

  @Test
  void madeOnceAndClosedWithTheLast() throws IOException {
    var first = sharing.acquire("a");
    var second = sharing.acquire("a");
    var other = sharing.acquire("b");
    assertThat(first.value()).isSameAs(second.value());
    first.close();
    first.close();
    assertThat(events).containsExactly("made a", "made b");
    second.close();
    other.close();
    assertThat(events).containsExactly("made a", "made b", "closed a", "closed b");
    sharing.acquire("a").close();
    assertThat(events).endsWith("made a", "closed a");
  }

  @Test
  void oneMoreShareIsInTheSameValue() throws IOException {
    var first = sharing.acquire("a");
    var another = first.another();
    first.close();
    assertThat(events).containsExactly("made a");
    assertThat(another.value()).isSameAs(first.value());
    assertThatThrownBy(first::another).hasMessage("a: Filesystem closed");
    another.close();
    assertThat(events).containsExactly("made a", "closed a");
  }

  /** Also where the others have released it by then. */
  @Test
  void aUserWhoseWaitIsInterruptedLeavesNothingOpen() throws Exception {
    CompletableFuture<Void> mayMake = new CompletableFuture<>();
    AtomicInteger open = new AtomicInteger();
    Sharing<String, AutoCloseable> slow =
        new Sharing<>(
            key -> {
              open.incrementAndGet();
              mayMake.join();
              return open::decrementAndGet;
            });
    var made = new CompletableFuture<Sharing<String, AutoCloseable>.Share>();
    Thread first = new Thread(() -> acquire(slow, made));
    first.start();
    awaitState(first, Thread.State.WAITING);
    var interrupted = new CompletableFuture<Sharing<String, AutoCloseable>.Share>();
    Thread second = new Thread(() -> acquire(slow, interrupted));
    second.start();
    awaitState(second, Thread.State.WAITING);
    synchronized (slow) {
      second.interrupt();
      awaitState(second, Thread.State.BLOCKED); // it has given up, and is about to leave
      mayMake.complete(null);
      made.join().close();
    }
    assertThatThrownBy(interrupted::join).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(open).hasValue(0);
  }

  private static void acquire(
      Sharing<String, AutoCloseable> from,
      CompletableFuture<Sharing<String, AutoCloseable>.Share> share) {
    try {
      share.complete(from.acquire("a"));
    } catch (IOException | RuntimeException e) {
      share.completeExceptionally(e);
    }
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      assertThat(thread.getState()).isNotEqualTo(Thread.State.TERMINATED);
      Thread.onSpinWait();
    }
  }

  @Test
  void aFailureIsTriedAnew() throws IOException {
    fail = true;
    assertThatThrownBy(() -> sharing.acquire("a")).hasMessage("no way to a");
    fail = false;
    sharing.acquire("a").close();
    assertThat(events).containsExactly("made a", "closed a");
  }

  @Test
  void whatIsOfNoMoreUseIsGivenToNobodyAnew() throws IOException {
    AtomicInteger made = new AtomicInteger();
    Set<AutoCloseable> wornOut = new HashSet<>();
    Sharing<String, AutoCloseable> renewing =
        new Sharing<>(
            key -> {
              int number = made.incrementAndGet();
              return () -> events.add("closed " + number);
            },
            value -> !wornOut.contains(value));
    var first = renewing.acquire("a");
    var second = renewing.acquire("a");
    wornOut.add(first.value());
    var third = renewing.acquire("a");
    var fourth = renewing.acquire("a");
    assertThat(third.value()).isSameAs(fourth.value()).isNotSameAs(first.value());
    first.close();
    assertThat(events).isEmpty();
    second.close();
    assertThat(events).containsExactly("closed 1");
    assertThat(renewing.acquire("a").value()).isSameAs(third.value());
    assertThat(made).hasValue(2);
  }

  /** Such as that of the superblock, by a cluster whose OSDs are down. */
  @Test
  void nobodyWaitsASecondTimeForAnAnswer() throws Exception {
    int users = 4;
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Sharing<String, AutoCloseable> unanswered =
        new Sharing<>(
            key -> {
              tries.incrementAndGet();
              begun.countDown();
              assertThatCode(go::await).doesNotThrowAnyException();
              throw new StoreException(StoreException.Kind.TIMED_OUT, "//superblock", "no answer")
                  .afterWaitingInFull();
            });
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      Thread thread = new Thread(() -> failures.add(catchThrowable(() -> unanswered.acquire("a"))));
      threads.add(thread);
      thread.start();
      begun.await();
    }
    for (Thread waiting : threads.subList(1, users)) {
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(tries).as("waits, one after another").hasValue(1);
    assertThat(failures).hasSize(users).allMatch(Failures::hasWaitedInFull);
    assertThatThrownBy(() -> unanswered.acquire("a")).hasMessage("no answer");
    assertThat(tries).as("who comes later tries again").hasValue(2);
  }
}
