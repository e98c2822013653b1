// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads of one client that keep one another waiting. */
class TurnSchedulerTest {

  private static final Duration BOUND = Duration.ofSeconds(5);

  /** How the threads of a process keep out of one another's way. */
  private enum Lock {
    MONITOR,
    REENTRANT;

    private final ReentrantLock lock = new ReentrantLock();

    void with(Runnable work) {
      if (this == MONITOR) {
        synchronized (lock) {
          work.run();
        }
      } else {
        lock.lock();
        try {
          work.run();
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private static void write(SimulatedClient client, String object) {
    try {
      client.open("meta", "").write(object, WriteOp.builder().createIfMissing().build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a process does first in each of its threads, and then goes on: as it writes a ledger. */
  private static final class Process {
    private boolean registered;

    void begin(SimulatedClient client, Lock lock, String object) {
      lock.with(
          () -> {
            if (!registered) {
              write(client, "list");
              registered = true;
            }
          });
      write(client, object);
    }
  }

  /** Runs a client with a helper, beside another; answers the order of all operations. */
  private static List<String> run(Lock lock, Chooser chooser) {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    TurnScheduler scheduler = new TurnScheduler(cluster, chooser, BOUND);
    Process process = new Process();
    AtomicBoolean helped = new AtomicBoolean();
    SimulatedClient a = cluster.client("a");
    scheduler.add(
        "a",
        () -> {
          boolean unused =
              a.fork(
                  () -> {
                    process.begin(a, lock, "a's helper");
                    helped.set(true);
                  });
          process.begin(a, lock, "a");
          try {
            a.await(helped::get);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          write(a, "after");
        });
    scheduler.add("b", () -> write(cluster.client("b"), "b"));
    assertThat(scheduler.run()).isTrue();
    List<String> order = new ArrayList<>();
    cluster
        .log()
        .entries()
        .forEach(entry -> order.add(entry.op().number() + " " + entry.op().object()));
    return order;
  }

  /** The helper waits for what the program does with the lock held, and goes on after it. */
  @ParameterizedTest
  @EnumSource
  void oneGoesOnAfterTheOneThatHoldsTheLock(Lock lock) {
    for (int i = 0; i < 20; i++) {
      assertThat(run(lock, Chooser.replay("a.1 b a a.1 a*2")))
          .containsExactly("1 b", "1 list", "3 a's helper", "2 a", "4 after");
    }
  }

  /** Also where the program waits for its helper; and the same order has the same numbers. */
  @ParameterizedTest
  @EnumSource
  void inWhateverOrderTheyGoOn(Lock lock) {
    Chooser.Exhaustive chooser = new Chooser.Exhaustive(2);
    Set<List<String>> orders = new TreeSet<>((x, y) -> x.toString().compareTo(y.toString()));
    while (chooser.advance()) {
      orders.add(run(lock, chooser));
    }
    assertThat(orders)
        .contains(
            List.of("1 b", "1 list", "3 a's helper", "2 a", "4 after"),
            List.of("1 list", "2 a", "3 a's helper", "1 b", "4 after"));
  }
}
