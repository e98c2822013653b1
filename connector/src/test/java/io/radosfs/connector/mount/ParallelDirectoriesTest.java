// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelDirectoriesTest {

  private final List<FsPath> directories = new ArrayList<>();
  private final Set<FsPath> done = ConcurrentHashMap.newKeySet();

  ParallelDirectoriesTest() {
    for (int i = 0; i < 20; i++) {
      directories.add(new FsPath("d" + i));
    }
  }

  @Test
  void everyDirectoryIsWorkedOnAlsoFromWithin() throws IOException {
    try (ParallelDirectories loop = new ParallelDirectories(2, "test")) {
      loop.run(directories, outer -> loop.run(directories, done::add));
      assertThat(done).containsExactlyInAnyOrderElementsOf(directories);
    }
  }

  @Test
  void nothingWaitsForWhatTheCallerWorksOn() throws IOException {
    Thread caller = Thread.currentThread();
    CountDownLatch others = new CountDownLatch(directories.size() - 1);
    AtomicInteger calls = new AtomicInteger();
    try (ParallelDirectories loop = new ParallelDirectories(2, "test")) {
      loop.run(
          directories,
          directory -> {
            if (Thread.currentThread() != caller || calls.incrementAndGet() > 1) {
              others.countDown();
            } else {
              awaitAll(others);
            }
          });
    }
  }

  private static void awaitAll(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Test
  void aFailureKeepsNoOtherFromBeingTried() {
    try (ParallelDirectories loop = new ParallelDirectories(2, "test")) {
      assertThatThrownBy(
              () ->
                  loop.run(
                      directories,
                      directory -> {
                        done.add(directory);
                        if (directory.key().endsWith("5")) {
                          throw new IOException(directory.key());
                        }
                      }))
          .isInstanceOf(IOException.class)
          .hasMessage("d5")
          .hasSuppressedException(new IOException("d15"));
      assertThat(done).hasSize(20);
    }
  }

  /** Such as where a container limits them. What throws must not leave work that goes on. */
  @Test
  void ifTheSystemGivesNoMoreThreadsThereIsNoHelp() {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch helped = new CountDownLatch(1);
    Helpers helpers =
        new Helpers() {
          @Override
          public boolean run(Runnable work) {
            if (asked.incrementAndGet() > 1) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(work).start();
            return true;
          }

          @Override
          public void await(Future<?> work) throws InterruptedException, ExecutionException {
            Object unused = work.get();
          }
        };
    Thread caller = Thread.currentThread();
    try (ParallelDirectories loop = new ParallelDirectories(helpers)) {
      assertThatCode(
              () ->
                  loop.run(
                      directories,
                      directory -> {
                        if (Thread.currentThread() == caller) {
                          awaitAll(helped);
                        } else {
                          helped.countDown();
                        }
                        done.add(directory);
                      }))
          .doesNotThrowAnyException();
    }
    assertThat(done).containsExactlyInAnyOrderElementsOf(directories);
  }

  /** Each of the rest might wait as long again. */
  @Test
  void anOperationThatHasWaitedInFullIsTheEnd() {
    IOException unanswered =
        new StoreException(StoreException.Kind.TIMED_OUT, "d0/", "no answer").afterWaitingInFull();
    DirectoryLoop.Work<FsPath> work =
        directory -> {
          done.add(directory);
          throw unanswered;
        };
    assertThatThrownBy(() -> DirectoryLoop.sequential().run(directories, work))
        .isSameAs(unanswered);
    assertThat(done).hasSize(1);
    done.clear();
    try (ParallelDirectories loop = new ParallelDirectories(2, "test")) {
      assertThatThrownBy(() -> loop.run(directories, work)).isSameAs(unanswered);
    }
    assertThat(done).as("at most one for each thread").hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void worksAfterClosing() throws IOException {
    ParallelDirectories loop = new ParallelDirectories(2, "test");
    loop.close();
    loop.run(directories, done::add);
    assertThat(done).hasSize(20);
  }

  /** Whoever aborts after the interrupt must meet no work that is still to have an effect. */
  @Test
  void nothingGoesOnAfterAnInterrupt() throws Exception {
    CountDownLatch underWay = new CountDownLatch(2);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    Thread caller = Thread.currentThread();
    try (ParallelDirectories loop = new ParallelDirectories(1, "test")) {
      assertThatThrownBy(
              () ->
                  loop.run(
                      directories,
                      directory -> {
                        begun.incrementAndGet();
                        underWay.countDown();
                        if (Thread.currentThread() == caller) {
                          awaitAll(underWay);
                          caller.interrupt();
                          interrupted.countDown();
                          throw new InterruptedIOException("interrupted at work");
                        }
                        awaitAll(interrupted);
                        // What is under way takes a while after its caller has given up.
                        sleepUntilWaitedFor(caller);
                        ended.incrementAndGet();
                      }))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ended.get()).as("ended, beside the caller's").isEqualTo(begun.get() - 1);
      int atReturn = begun.get();
      assertThat(atReturn).isLessThan(directories.size());
      loop.run(directories.subList(0, 2), done::add);
      assertThat(begun.get()).isEqualTo(atReturn);
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  @Test
  void oneAfterAnotherNothingIsBegunAfterAnInterrupt() {
    try {
      assertThatThrownBy(
              () ->
                  DirectoryLoop.sequential()
                      .run(
                          directories,
                          directory -> {
                            done.add(directory);
                            Thread.currentThread().interrupt();
                          }))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(done).hasSize(1);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Returns once the caller waits, or has returned or failed, as the case may be. */
  private static void sleepUntilWaitedFor(Thread caller) {
    while (caller.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
  }
}
