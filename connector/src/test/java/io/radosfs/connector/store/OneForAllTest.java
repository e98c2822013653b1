// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneForAllTest {

  private static final int THREADS = 6;

  private final OneForAll work = new OneForAll("another thread works");
  private final AtomicInteger tries = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** Has several threads need the work, all but the first while it is done. */
  private void runInThreads(IOException failure) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> runOnce(failure));
      threads.add(thread);
      thread.start();
      begun.await();
    }
    for (Thread waiting : threads.subList(1, THREADS)) {
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void runOnce(IOException failure) {
    try {
      work.run(
          () -> {
            boolean first = tries.incrementAndGet() == 1;
            begun.countDown();
            await();
            if (failure != null && (first || Failures.hasWaitedInFull(failure))) {
              throw failure;
            }
          });
    } catch (IOException e) {
      failures.add(e);
    }
  }

  private void await() throws IOException {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Test
  void oneDoesItForAll() throws InterruptedException {
    runInThreads(null);
    assertThat(tries).hasValue(1);
    assertThat(failures).isEmpty();
    assertThat(work.isDone()).isTrue();
  }

  @Test
  void theNextTriesAfterAFailure() throws InterruptedException {
    runInThreads(new IOException("refused"));
    assertThat(tries).hasValue(2);
    assertThat(failures).hasSize(1);
    assertThat(work.isDone()).isTrue();
  }

  @Test
  void nobodyWaitsASecondTimeForAnAnswer() throws InterruptedException {
    runInThreads(
        new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "o", "no answer")
            .afterWaitingInFull());
    assertThat(tries).hasValue(1);
    assertThat(failures).hasSize(THREADS).allMatch(Failures::hasWaitedInFull);
    assertThat(work.isDone()).isFalse();
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Thread one = new Thread(() -> runOnce(null));
    one.start();
    begun.await();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> work.run(() -> tries.incrementAndGet()))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    go.countDown();
    one.join();
    assertThat(tries).hasValue(1);
  }
}
