// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Shows that the harness finds what it should, in protocols known to be right or wrong. */
@Execution(ExecutionMode.CONCURRENT)
class ExperimentTest {

  /** Moves "token" from x to y: puts, then takes away. A crash between leaves two. */
  private static void moveInTwoSteps(SimulatedClient client) throws IOException {
    try (ObjectStore store = client.open("meta", "")) {
      store.write("y", WriteOp.builder().createIfMissing().setOmap("token", bytes("1")).build());
      store.write("x", WriteOp.builder().assertExists().removeOmap("token").build());
    }
  }

  private static void putToken(SimulatedClient client) throws IOException {
    try (ObjectStore store = client.open("meta", "")) {
      store.write("x", WriteOp.builder().createIfMissing().setOmap("token", bytes("1")).build());
    }
  }

  private static void oneToken(Trial trial) {
    long tokens =
        trial.cluster().objects("meta", "").values().stream()
            .filter(object -> object.omap().containsKey("token"))
            .count();
    assertThat(tokens).as("tokens").isEqualTo(1);
  }

  private static void increment(SimulatedClient client, boolean guarded) throws IOException {
    try (ObjectStore store = client.open("meta", "")) {
      while (true) {
        SortedMap<String, byte[]> seen =
            store.read("n", ReadOp.builder().omapRange("", "", 10).build()).omap(0);
        int count = Integer.parseInt(new String(seen.get("n"), UTF_8));
        WriteOp.Builder write = WriteOp.builder();
        if (guarded) {
          write.compareOmap("n", seen.get("n"));
        }
        try {
          store.write("n", write.setOmap("n", bytes("" + (count + 1))).build());
          return;
        } catch (StoreException e) {
          if (!e.is(Kind.GUARD_FAILED)) {
            throw e;
          }
        }
      }
    }
  }

  private static Experiment increments(boolean guarded, String... clients) {
    Experiment experiment =
        Experiment.named(guarded ? "guarded increments" : "blind increments")
            .setUp(
                client ->
                    client
                        .open("meta", "")
                        .write(
                            "n",
                            WriteOp.builder().createExclusive().setOmap("n", bytes("0")).build()))
            .check(
                trial ->
                    assertThat(trial.cluster().objects("meta", "").get("n").omap().get("n"))
                        .isEqualTo(bytes("" + clients.length)));
    for (String client : clients) {
      experiment.program(client, self -> increment(self, guarded));
    }
    return experiment;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void catchesACrashBetweenTwoSteps() {
    Experiment experiment =
        Experiment.named("two-step move")
            .setUp(ExperimentTest::putToken)
            .program("a", ExperimentTest::moveInTwoSteps)
            .check(ExperimentTest::oneToken);
    experiment.once();
    assertThatThrownBy(experiment::everyStoppingPoint)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("two-step move, op 2 of a: CRASH_BEFORE")
        .hasMessageContaining("tokens")
        .hasMessageContaining("a #1 (write 1) meta 'y': createIfMissing setOmap(token=1) -> ok")
        .hasMessageContaining("client dead [CRASH_BEFORE]");
  }

  @Test
  void passesWhenRecoveryFinishesTheMove() {
    Report report =
        Experiment.named("move with recovery")
            .setUp(ExperimentTest::putToken)
            .program("a", ExperimentTest::moveInTwoSteps)
            .recover(
                client -> {
                  ObjectStore store = client.open("meta", "");
                  if (client.cluster().objects("meta", "").containsKey("y")) {
                    store.write("x", WriteOp.builder().assertExists().removeOmap("token").build());
                  }
                })
            .check(ExperimentTest::oneToken)
            .everyStoppingPoint();
    assertThat(report.trials()).isEqualTo(8);
    assertThat(report)
        .hasToString("tried 8 stopping points of move with recovery: 2 ops x 4 faults");
  }

  @Test
  void catchesARecoveryThatCannotBeRepeated() {
    Experiment experiment =
        Experiment.named("recovery in two steps")
            .setUp(ExperimentTest::putToken)
            .program("a", ExperimentTest::moveInTwoSteps)
            .recover(
                client -> {
                  // Undoes y and does x again, but only while it still finds y.
                  ObjectStore store = client.open("meta", "");
                  if (client.cluster().objects("meta", "").containsKey("y")) {
                    store.write("x", WriteOp.builder().assertExists().removeOmap("token").build());
                    store.write("y", WriteOp.builder().remove().build());
                    putToken(client);
                  }
                })
            .check(ExperimentTest::oneToken);
    experiment.everyStoppingPoint();
    assertThatThrownBy(experiment::everyStoppingPointOfRecovery)
        .hasMessageContaining("dead after write 1 of a, recovery dead after its write 2")
        .hasMessageContaining("recovery #2");
  }

  @Test
  void catchesAWriteThatLandsAfterRecovery() {
    Experiment experiment =
        Experiment.named("late write")
            .setUp(client -> {})
            .program("a", ExperimentTest::putToken)
            .recover(
                client -> {
                  // Takes absence for failure and puts the token elsewhere: wrong.
                  if (client.cluster().objects("meta", "").isEmpty()) {
                    client
                        .open("meta", "")
                        .write("z", WriteOp.builder().setOmap("token", bytes("1")).build());
                  }
                })
            .check(ExperimentTest::oneToken);
    experiment.everyStoppingPoint();
    assertThatThrownBy(() -> experiment.faults(Fault.ALL).everyStoppingPoint())
        .hasMessageContaining("CRASH_LATE")
        .hasMessageContaining("ok [late]");
  }

  @Test
  void catchesALostUpdateByInsertion() {
    assertThatThrownBy(() -> increments(false, "a", "b").everyInsertion())
        .hasMessageContaining("b inserted before op 2 of a");
    assertThat(increments(true, "a", "b").everyInsertion().trials()).isEqualTo(3);
  }

  @Test
  void catchesALostUpdateByInterleavingAndReplaysIt() {
    Experiment wrong = increments(false, "a", "b");
    Throwable found =
        org.assertj.core.api.Assertions.catchThrowable(() -> wrong.everyInterleaving(1000));
    assertThat(found).isInstanceOf(AssertionError.class);
    String schedule = found.getMessage().replaceAll("(?s).*replay\\(\"([^\"]*)\"\\).*", "$1");
    assertThatThrownBy(() -> wrong.replay(schedule)).isInstanceOf(AssertionError.class);
    wrong.replay("a*2 b*2");
    assertThatThrownBy(() -> wrong.randomInterleavings(1, 50)).hasMessageContaining("by seed ");
  }

  @Test
  void runsEveryInterleavingOfARightProtocol() {
    Report three = increments(true, "a", "b", "c").everyInterleaving(100_000);
    assertThat(three.complete()).isTrue();
    assertThat(three.trials()).isGreaterThan(6);
    Report bounded = increments(true, "a", "b", "c").everyInterleaving(100_000, 1);
    assertThat(bounded.complete()).isTrue();
    assertThat(bounded.trials()).isGreaterThan(6);
    assertThat(increments(true, "a", "b").randomInterleavings(7, 20).trials()).isEqualTo(20);
  }

  @Test
  void leavesOutSchedulesThatNobodyCanTellApart() {
    Experiment apart = Experiment.named("apart");
    for (String client : new String[] {"a", "b", "c"}) {
      apart.program(
          client,
          self -> {
            ObjectStore store = self.open("meta", "");
            for (int i = 0; i < 4; i++) {
              store.write(client, WriteOp.builder().setOmap("k", bytes("" + i)).build());
            }
          });
    }
    assertThat(apart.everyInterleaving(1000).trials()).isEqualTo(1);
    // With a bound on preemptions nothing is left out: 3! orders of whole programs.
    assertThat(apart.everyInterleaving(1000, 0).trials()).isEqualTo(6);
  }

  /** What is read of a whole pool depends on every write to it. */
  @Test
  void aListingComesBeforeAWriteAndAfterIt() {
    Experiment beside =
        Experiment.named("a listing beside a write")
            .program(
                "a",
                self ->
                    self.open("meta", "")
                        .write("o", WriteOp.builder().setOmap("k", bytes("1")).build()))
            .program("b", self -> self.open("meta", "").list(name -> {}))
            .program("c", self -> assertThat(self.open("meta", "").usage()).isNotNull());
    // Neither minds the other, but each the write.
    assertThat(beside.everyInterleaving(1000).trials()).isEqualTo(4);
  }

  @Test
  void findsEveryOutcomeOfAThreeWayRace() {
    // Whoever writes last wins: each client must be seen to win.
    java.util.Set<String> winners = new java.util.TreeSet<>();
    Experiment race =
        Experiment.named("race")
            .check(
                trial ->
                    winners.add(
                        new String(
                            trial.cluster().objects("meta", "").get("k").omap().get("k"), UTF_8)));
    for (String client : new String[] {"a", "b", "c"}) {
      race.program(
          client,
          self -> {
            ObjectStore store = self.open("meta", "");
            store.write("own-" + client, WriteOp.builder().createExclusive().build());
            store.write("k", WriteOp.builder().setOmap("k", bytes(client)).build());
          });
    }
    assertThat(race.everyInterleaving(1000).trials()).isEqualTo(6);
    assertThat(winners).containsExactly("a", "b", "c");
  }

  /** Fails where b comes between the two operations of a, and only there. */
  private static Experiment spoiled() {
    return Experiment.named("spoiled")
        .program(
            "a",
            self -> {
              ObjectStore store = self.open("meta", "");
              store.write("k", WriteOp.builder().setOmap("k", bytes("a")).build());
              ReadOp look = ReadOp.builder().omapByKeys(java.util.Set.of("k")).build();
              if (!new String(store.read("k", look).omap(0).get("k"), UTF_8).equals("a")) {
                throw new IllegalStateException("spoiled");
              }
            })
        .program(
            "b",
            self -> {
              ObjectStore store = self.open("meta", "");
              for (int i = 0; i < 6; i++) {
                store.write("other", WriteOp.builder().setOmap("k", bytes("b" + i)).build());
              }
              store.write("k", WriteOp.builder().setOmap("k", bytes("b")).build());
            });
  }

  @Test
  void aFailingSeedIsRunAgainAlone() {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long first = 1;
    assertThatThrownBy(() -> spoiled().randomInterleavings(first, 1000))
        .satisfies(failure::set)
        .hasMessageContaining("run it again: mvn test ")
        .hasMessageContaining("-Dtest='ExperimentTest#aFailingSeedIsRunAgainAlone'");
    String message = failure.get().getMessage();
    Matcher seed = Pattern.compile("-Dsimulation\\.seed=(\\d+)").matcher(message);
    assertThat(seed.find()).isTrue();
    Replay again = new Replay(Optional.of(Long.valueOf(seed.group(1))), 1, Optional.empty());
    Report leftOut = spoiled().replaying(again).everyInsertion();
    assertThat(leftOut.trials()).isEqualTo(0);
    leftOut.requireAtLeast(1);
    assertThatThrownBy(() -> spoiled().replaying(again).randomInterleavings(first, 1000))
        .satisfies(
            repeated -> assertThat(operations(repeated)).isEqualTo(operations(failure.get())));
    assertThat(again.seed().orElseThrow()).as("seeds before it do not fail").isGreaterThan(first);
    Replay other = new Replay(Optional.of(first), 1, Optional.empty());
    assertThat(spoiled().replaying(other).randomInterleavings(first, 1000).trials()).isEqualTo(1);
  }

  @Test
  void aFailingScheduleIsRunAgainAlone() {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    assertThatThrownBy(() -> spoiled().everyInterleaving(1000)).satisfies(failure::set);
    Matcher schedule =
        Pattern.compile("-Dsimulation\\.schedule='([^']+)'").matcher(failure.get().getMessage());
    assertThat(schedule.find()).isTrue();
    Replay again = new Replay(Optional.empty(), 1, Optional.of(schedule.group(1)));
    assertThatThrownBy(() -> spoiled().replaying(again).everyInterleaving(1000))
        .satisfies(
            repeated -> assertThat(operations(repeated)).isEqualTo(operations(failure.get())));
    assertThat(spoiled().replaying(again).randomInterleavings(1, 10).trials()).isEqualTo(0);
  }

  private static String operations(Throwable failure) {
    return failure.getMessage().substring(failure.getMessage().indexOf("operations:"));
  }

  @Test
  void nestedInsertionsTryEveryPairOfPlaces() {
    java.util.Set<String> orders = new java.util.TreeSet<>();
    Experiment nested =
        Experiment.named("nested")
            .check(
                trial ->
                    orders.add(
                        trial.cluster().log().entries().stream()
                            .map(entry -> entry.op().client())
                            .collect(Collectors.joining())));
    for (String client : new String[] {"a", "b", "c"}) {
      nested.program(
          client,
          self -> {
            ObjectStore store = self.open("meta", "");
            store.write(client, WriteOp.builder().createExclusive().build());
            store.write(client, WriteOp.builder().setOmap("k", bytes(client)).build());
          });
    }
    assertThat(nested.everyNestedInsertion().trials()).isEqualTo(9);
    assertThat(orders)
        .containsExactlyInAnyOrder(
            "ccbbaa", "bccbaa", "bbccaa", "accbba", "abccba", "abbcca", "aaccbb", "aabccb",
            "aabbcc");
  }

  @Test
  void saysWhichClientIsStuck() {
    CountDownLatch never = new CountDownLatch(1);
    Experiment stuck =
        Experiment.named("stuck")
            .bound(java.time.Duration.ofMillis(200))
            .program("a", client -> never.await())
            .program("b", ExperimentTest::putToken);
    assertThatThrownBy(() -> stuck.everyInterleaving(10))
        .hasMessageContaining("a has neither reached an operation nor ended")
        .hasMessageContaining("CountDownLatch.await");
  }

  @Test
  void aProgramUnderTheSchedulerMaySleep() {
    Experiment sleepy =
        Experiment.named("sleepy")
            .program(
                "a",
                client -> {
                  putToken(client);
                  Thread.sleep(5);
                  putToken(client);
                })
            .program("b", ExperimentTest::putToken);
    assertThat(sleepy.everyInterleaving(100).trials()).isEqualTo(3);
  }

  @Test
  void anUnexpectedExceptionFailsTheRun() {
    Experiment bug =
        Experiment.named("bug")
            .program(
                "a",
                client -> {
                  putToken(client);
                  throw new IllegalStateException("a bug");
                });
    assertThatThrownBy(bug::once).hasMessageContaining("a bug");
    assertThatThrownBy(() -> bug.everyInterleaving(10)).hasMessageContaining("a program failed");
  }

  @Test
  void aDeadClientInsertedMidwayIsTried() {
    assertThat(increments(true, "a", "b").standingFault("a", faults -> {}).once().trials())
        .isEqualTo(1);
    Report report =
        Experiment.named("tokens")
            .program("a", ExperimentTest::putToken)
            .program("b", ExperimentTest::moveInTwoStepsIfThere)
            .everyInsertionOfCrash();
    assertThat(report.trials()).isEqualTo(4);
    report.requireAtLeast(4);
    assertThatThrownBy(() -> report.requireAtLeast(5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("less than 5 trials");
    assertThat(
            Experiment.named("tokens")
                .program("a", ExperimentTest::putToken)
                .program("b", ExperimentTest::moveInTwoStepsIfThere)
                .everyInsertionThenCrash()
                .trials())
        .isEqualTo(1);
  }

  /** What one run does to objects, the next one does not see. */
  @Test
  void oneSetUpServesEveryRun() {
    AtomicInteger setUps = new AtomicInteger();
    Set<String> found = new TreeSet<>();
    Report report =
        Experiment.named("one set-up")
            .setUpOnce(
                client -> {
                  setUps.incrementAndGet();
                  putToken(client);
                })
            .program(
                "a",
                client -> {
                  found.add(client.cluster().objects("meta", "").get("x").omap().keySet() + "");
                  found.add(client.cluster().log().entries() + "");
                  ObjectStore store = client.open("meta", "");
                  store.write("x", WriteOp.builder().setOmap("other", bytes("1")).build());
                  store.write("x", WriteOp.builder().remove().build());
                })
            .everyStoppingPoint();
    assertThat(report.trials()).isGreaterThan(2);
    assertThat(setUps).hasValue(1);
    assertThat(found)
        .containsExactlyInAnyOrder(
            "[token]", "[setup #1 (write 1) meta 'x': createIfMissing setOmap(token=1) -> ok]");
  }

  @Test
  void noInsertionIsRunTwice() {
    List<String> runs = new ArrayList<>();
    Experiment insertions =
        Experiment.named("insertions")
            .program("a", ExperimentTest::moveInTwoStepsIfThere)
            .program("b", ExperimentTest::moveInTwoStepsIfThere)
            .check(trial -> runs.add(trial.cluster().log().toString()));
    assertThat(insertions.everyInsertion().trials()).isEqualTo(3);
    assertThat(insertions.everyInsertionThenCrash().trials()).isEqualTo(3);
    assertThat(insertions.everyInsertionOfCrash().trials()).isEqualTo(6);
    // Two more in which the first dies before the second's turn.
    assertThat(runs).hasSize(14).doesNotHaveDuplicates();
  }

  private static void moveInTwoStepsIfThere(SimulatedClient client) throws IOException {
    ObjectStore store = client.open("meta", "");
    store.write("y", WriteOp.builder().setOmap("token", bytes("1")).build());
    store.write("z", WriteOp.builder().setOmap("token", bytes("1")).build());
  }
}
