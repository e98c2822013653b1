package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
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

  @Test
  void worksAfterClosing() throws IOException {
    ParallelDirectories loop = new ParallelDirectories(2, "test");
    loop.close();
    loop.run(directories, done::add);
    assertThat(done).hasSize(20);
  }
}
