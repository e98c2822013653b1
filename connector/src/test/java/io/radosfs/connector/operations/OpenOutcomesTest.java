// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.simulated.OpenWrites;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What is unknown stays so. Each write of each change is applied and answered in a way that leaves
 * it open; the look that would tell fails; some operations go through, and from there on everything
 * fails in a definite way. A call may fail then as if it had changed nothing only where the tree
 * shows just that.
 */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class OpenOutcomesTest {

  private static final String LONG = "more than one stripe of it";

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What there is to see. */
  interface Look {
    Object at(SimulatedMount mount) throws IOException;
  }

  private Sharding sharding = new Sharding(65_536, 64);
  private Look look = SimulatedMount::tree;
  private Set<Object> partly = Set.of();
  private Set<Object> between = Set.of();

  /** States that are left by part of the change, which may be the end of it for certain. */
  private OpenOutcomesTest orPartly(Object... states) {
    partly = Set.of(states);
    return this;
  }

  private OpenOutcomesTest inShards() {
    sharding = new Sharding(4, 2);
    return this;
  }

  private OpenOutcomesTest seen(Look by) {
    look = by;
    return this;
  }

  private SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client, sharding);
  }

  private void explore(Step setUp, Step change, Object before, Object after, Object... meanwhile) {
    between = Set.of(meanwhile);
    int struck = 0;
    for (Map.Entry<Fault, Integer> open : OpenWrites.FAULTS.entrySet()) {
      for (int good = 0; good <= open.getValue(); good++) {
        int operations = good;
        struck +=
            exploreWrites(
                setUp,
                change,
                before,
                after,
                "%s at write %%d, the look after it fails, and all after %d more operations"
                    .formatted(open.getKey(), good),
                (plan, write) -> OpenWrites.strike(plan, open.getKey(), write, operations));
      }
    }
    for (Fault open : OpenWrites.MADE_OR_NOT) {
      struck +=
          exploreWrites(
              setUp,
              change,
              before,
              after,
              "%s at write %%d, the look after it fails, and nothing else".formatted(open),
              (plan, write) -> OpenWrites.strikeOnce(plan, open, write));
    }
    assertThat(struck).isPositive();
  }

  /** What happens to a client at one of its writes. */
  interface Trouble {
    void at(FaultPlan plan, int write);
  }

  /** Answers how many writes there were. */
  private int exploreWrites(
      Step setUp, Step change, Object before, Object after, String name, Trouble trouble) {
    int write = 1;
    while (isStruck(setUp, change, before, after, name.formatted(write), trouble, write)) {
      write++;
    }
    return write - 1;
  }

  /** Answers whether there was such a write. */
  private boolean isStruck(
      Step setUp,
      Step change,
      Object before,
      Object after,
      String name,
      Trouble trouble,
      int write) {
    boolean[] struck = new boolean[1];
    Experiment.named(name)
        .setUp(client -> setUp.on(mount(client)))
        .standingFault("a", plan -> trouble.at(plan, write))
        .program("a", client -> change.on(mount(client)))
        .recover(client -> mount(client).sweep())
        .checkBeforeRecovery(
            trial -> {
              struck[0] = !trial.cluster().client("a").faults().struck().isEmpty();
              check(trial, before, after);
            })
        .check(trial -> check(trial, before, after))
        .once();
    return struck[0];
  }

  private void check(Trial trial, Object before, Object after) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    Object seen = look.at(mount(trial.observer()));
    Outcome outcome = trial.outcome("a");
    if (!outcome.failed()) {
      assertThat(seen).as("%s", outcome).isEqualTo(after);
    } else if (AppliedErrors.saidUnknown(outcome)) {
      Set<Object> possible = new HashSet<>(partly);
      possible.addAll(between);
      possible.add(before);
      possible.add(after);
      assertThat(possible).contains(seen);
    } else if (!partly.contains(seen)) {
      assertThat(seen).as("%s", outcome).isEqualTo(before);
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  @Test
  void mkdir() {
    explore(
        m -> m.write("/d/f", "f"),
        m -> m.mkdirs("/d/s"),
        Map.of("/d/", "", "/d/f", "f"),
        Map.of("/d/", "", "/d/f", "f", "/d/s/", ""));
  }

  @Test
  void mkdirWhereThereIsNoIndex() {
    explore(
        m -> m.mkdirs("/d"),
        m -> m.mkdirs("/d/s"),
        Map.of("/d/", ""),
        Map.of("/d/", "", "/d/s/", ""));
  }

  @Test
  void mkdirsOfSeveralLevels() {
    orPartly(Map.of("/d/", ""))
        .explore(m -> {}, m -> m.mkdirs("/d/s"), Map.of(), Map.of("/d/", "", "/d/s/", ""));
  }

  @Test
  void create() {
    explore(
        m -> m.write("/d/f", "f"),
        m -> m.write("/d/g", LONG),
        Map.of("/d/", "", "/d/f", "f"),
        Map.of("/d/", "", "/d/f", "f", "/d/g", LONG));
  }

  @Test
  void createInANewDirectory() {
    orPartly(Map.of("/d/", ""))
        .explore(m -> {}, m -> m.write("/d/f", LONG), Map.of(), Map.of("/d/", "", "/d/f", LONG));
  }

  @Test
  void overwrite() {
    explore(
        m -> m.write("/d/f", LONG),
        m -> m.write("/d/f", "new", true),
        Map.of("/d/", "", "/d/f", LONG),
        Map.of("/d/", "", "/d/f", "new"));
  }

  @Test
  void deleteFile() {
    explore(
        m -> m.write("/d/f", LONG),
        m -> m.namespace().delete(path("/d/f"), false),
        Map.of("/d/", "", "/d/f", LONG),
        Map.of("/d/", ""));
  }

  @Test
  void deleteDirectoryWithoutIndex() {
    explore(
        m -> m.mkdirs("/d"),
        m -> m.namespace().delete(path("/d"), false),
        Map.of("/d/", ""),
        Map.of());
  }

  @Test
  void deleteEmptyDirectory() {
    explore(
        m -> {
          m.write("/d/f", "f");
          m.namespace().delete(path("/d/f"), false);
        },
        m -> m.namespace().delete(path("/d"), false),
        Map.of("/d/", ""),
        Map.of());
  }

  @Test
  void deleteTree() {
    orPartly(
            Map.of("/d/", "", "/d/f", "f", "/d/s/", ""), // unknown: see Namespace.delete
            Map.of("/d/", "", "/d/f", "f"),
            Map.of("/d/", ""))
        .explore(
            m -> {
              m.write("/d/f", "f");
              m.write("/d/s/g", LONG);
            },
            m -> m.namespace().delete(path("/d"), true),
            Map.of("/d/", "", "/d/f", "f", "/d/s/", "", "/d/s/g", LONG),
            Map.of());
  }

  @Test
  void deleteMany() {
    explore(
        m -> {
          m.write("/d/f", "f");
          m.write("/d/g", LONG);
        },
        m -> {
          Map<FsPath, IOException> failures =
              m.namespace().deleteAll(List.of(path("/d/f"), path("/d/g")));
          throwOneOf(failures);
        },
        Map.of("/d/", "", "/d/f", "f", "/d/g", LONG),
        Map.of("/d/", ""));
  }

  /** The most definite one. */
  private static void throwOneOf(Map<FsPath, IOException> failures) throws IOException {
    for (IOException failure : failures.values()) {
      if (!AppliedErrors.saidUnknown(new Outcome("a", null, failure, false))) {
        throw failure;
      }
    }
    for (IOException failure : failures.values()) {
      throw failure;
    }
  }

  @Test
  void renameWithinADirectory() {
    explore(
        m -> m.write("/d/f", LONG),
        m -> m.namespace().rename(path("/d/f"), path("/d/g"), false),
        Map.of("/d/", "", "/d/f", LONG),
        Map.of("/d/", "", "/d/g", LONG));
  }

  @Test
  void renameAcrossDirectories() {
    explore(
        m -> {
          m.write("/d/f", LONG);
          m.write("/e/g", "g");
        },
        m -> m.namespace().rename(path("/d/f"), path("/e/g"), true),
        Map.of("/d/", "", "/d/f", LONG, "/e/", "", "/e/g", "g"),
        Map.of("/d/", "", "/e/", "", "/e/g", LONG));
  }

  @Test
  void renameOfATree() {
    explore(
        m -> {
          m.write("/d/s/f", LONG);
          m.mkdirs("/e");
        },
        m -> m.namespace().rename(path("/d"), path("/e/d"), false),
        Map.of("/d/", "", "/d/s/", "", "/d/s/f", LONG, "/e/", ""),
        Map.of("/e/", "", "/e/d/", "", "/e/d/s/", "", "/e/d/s/f", LONG));
  }

  /** The directory that is replaced is removed before: what fails after that has changed that. */
  @Test
  void renameOntoAnEmptyDirectory() {
    explore(
        m -> {
          m.write("/p/t/f", LONG);
          m.mkdirs("/p/u");
        },
        m -> m.namespace().rename(path("/p/t"), path("/p/u"), true),
        Map.of("/p/", "", "/p/t/", "", "/p/t/f", LONG, "/p/u/", ""),
        Map.of("/p/", "", "/p/u/", "", "/p/u/f", LONG),
        Map.of("/p/", "", "/p/t/", "", "/p/t/f", LONG));
  }

  @Test
  void renameOfATreeWithinItsParent() {
    explore(
        m -> m.write("/p/t/f", LONG),
        m -> m.namespace().rename(path("/p/t"), path("/p/u"), false),
        Map.of("/p/", "", "/p/t/", "", "/p/t/f", LONG),
        Map.of("/p/", "", "/p/u/", "", "/p/u/f", LONG));
  }

  @Test
  void setPermission() {
    seen(m -> m.namespace().lookup(path("/d/f")).orElseThrow().attributes().permission())
        .explore(
            m -> m.write("/d/f", "f"),
            m -> m.namespace().setAttributes(path("/d/f"), was -> was.withPermission(0700)),
            0755,
            0700);
  }

  @Test
  void layout() {
    seen(m -> m.layouts().of(path("/d")).objectSize())
        .explore(
            m -> m.write("/d/f", "f"),
            m -> m.layouts().change(path("/d"), was -> was.withObjectSize(Optional.of(16))),
            Optional.empty(),
            Optional.of(16));
  }

  private static void five(SimulatedMount mount) throws IOException {
    for (int i = 0; i < 5; i++) {
      mount.write("/d/" + i, "");
    }
  }

  private static Object names(SimulatedMount mount) throws IOException {
    Set<String> names = new TreeSet<>();
    mount.tree().keySet().forEach(names::add);
    return names;
  }

  private static final Set<String> FIVE = Set.of("/d/", "/d/0", "/d/1", "/d/2", "/d/3", "/d/4");

  private static Set<String> fiveWithout(String gone, String... more) {
    Set<String> names = new TreeSet<>(FIVE);
    names.remove(gone);
    names.addAll(List.of(more));
    return names;
  }

  @Test
  void mkdirInShards() {
    inShards()
        .seen(OpenOutcomesTest::names)
        .explore(OpenOutcomesTest::five, m -> m.mkdirs("/d/s"), FIVE, fiveWithout("none", "/d/s/"));
  }

  @Test
  void deleteFileInShards() {
    inShards()
        .seen(OpenOutcomesTest::names)
        .explore(
            OpenOutcomesTest::five,
            m -> m.namespace().delete(path("/d/3"), false),
            FIVE,
            fiveWithout("/d/3"));
  }

  @Test
  void deleteDirectoryInShards() {
    inShards()
        .seen(OpenOutcomesTest::names)
        .explore(
            OpenOutcomesTest::five, m -> m.namespace().delete(path("/d"), true), FIVE, Set.of());
  }

  @Test
  void renameInShards() {
    inShards()
        .seen(OpenOutcomesTest::names)
        .explore(
            OpenOutcomesTest::five,
            m -> m.namespace().rename(path("/d/3"), path("/d/new"), false),
            FIVE,
            fiveWithout("/d/3", "/d/new"));
  }
}
