// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A job commits to nested directories, and replaces a tree, while others change the same
 * directories by plain calls: what the job has committed is there, once, unless somebody removed
 * it; so is what the others were told is written, unless the job replaced it; and nothing leaks.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class CommitRacesTest {

  private static final long SEED = 20_261_122;
  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  private static final List<String> ADDED =
      List.of("/out/p=1/q=1/a", "/out/p=3/q=1/b", "/out/p=3/q=2/r=1/c");
  private static final String REPLACED = "/out/p=2";

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold of the tree, given whether each of the others succeeded. */
  interface Expectation {
    void check(SortedMap<String, String> tree, boolean committed, List<Boolean> succeeded);
  }

  private static final byte[] CONTENT = "job".getBytes(StandardCharsets.UTF_8);

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static Entry.OfFile entry(FsPath path) {
    Uid uid = new Uid(String.format("%024x", path.key().hashCode() & 0xffffffffL));
    CRC32C crc = new CRC32C();
    crc.update(CONTENT);
    return new Entry.OfFile(
        new FileData(path, uid, false, CONTENT.length, 1 << 20, Optional.empty()),
        (int) crc.getValue(),
        SimulatedMount.ATTRIBUTES);
  }

  private static void setUp(SimulatedMount mount) throws IOException {
    mount.write("/out/p=1/q=1/old", "o");
    mount.write("/out/p=2/q=1/gone", "g");
    mount.write("/out/p=2/q=1/r=1/gone", "g");
    mount.mkdirs("/y");
    mount.store().write(JOB.owner(), WriteOp.builder().createExclusive().build());
    for (String added : ADDED) {
      FileData data = entry(path(added)).data();
      mount.writeStripe(data, CONTENT);
    }
    mount.transactions().register(JOB);
  }

  private static Map<FsPath, DirectoryChange> changes() throws IOException {
    Map<FsPath, DirectoryChange> changes = new HashMap<>();
    for (String added : ADDED) {
      FsPath path = path(added);
      changes.merge(
          path.parent(),
          DirectoryChange.adding(Map.of(path.name(), entry(path))),
          (change, more) -> change.and(more.add(), more.remove()));
    }
    return changes;
  }

  private static void commit(SimulatedMount mount) throws IOException {
    mount.transactions().commit(JOB, changes(), Set.of(path(REPLACED)));
    resolve(mount);
  }

  private static void resolve(SimulatedMount mount) throws IOException {
    Set<FsPath> directories = new HashSet<>(changes().keySet());
    directories.add(path(REPLACED));
    mount.transactions().resolve(JOB, directories);
    mount.transactions().forget(JOB);
  }

  /** What a job's record, which is not of interest here, would lead to. */
  private static Set<String> jobObjects() throws IOException {
    Set<String> objects = new HashSet<>(Set.of(JOB.owner()));
    for (String added : ADDED) {
      objects.add(entry(path(added)).data().stripe(0));
      for (FsPath at = path(added).parent(); !at.equals(OUT); at = at.parent()) {
        objects.add(ObjectNames.index(at));
      }
    }
    return objects;
  }

  private static void explore(String name, List<Step> others, Expectation expectation) {
    Experiment race =
        Experiment.named(name)
            .setUpOnce(client -> setUp(SimulatedMount.of(client)))
            .program("driver", client -> commit(SimulatedMount.of(client)))
            .recover(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.transactions().abort(JOB);
                  resolve(mount);
                  mount.sweep();
                })
            .checkBeforeRecovery(trial -> checkPool(trial, jobObjects()))
            .check(
                trial -> {
                  Outcome driver = trial.outcome("driver");
                  SortedMap<String, String> tree =
                      checkPool(trial, driver.succeeded() ? Set.of(JOB.owner()) : jobObjects());
                  if (!driver.crashed()) {
                    List<Boolean> succeeded = new ArrayList<>();
                    for (int i = 0; i < others.size(); i++) {
                      succeeded.add(trial.outcome("other " + i).succeeded());
                    }
                    expectation.check(tree, driver.succeeded(), succeeded);
                  }
                });
    for (int i = 0; i < others.size(); i++) {
      Step step = others.get(i);
      race.program("other " + i, client -> step.on(SimulatedMount.of(client)));
    }
    if (others.size() == 1) {
      race.everyInsertion();
      race.everyInsertionThenCrash();
    }
    race.randomInterleavings(SEED, DEEP ? 10_000 : 200);
  }

  private static SortedMap<String, String> checkPool(Trial trial, Set<String> known)
      throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""), known);
    return SimulatedMount.of(trial.observer()).tree();
  }

  private static void assertAdded(SortedMap<String, String> tree, boolean committed) {
    assertThat(tree.values().stream().filter("job"::equals)).hasSize(committed ? 3 : 0);
  }

  @Test
  void againstWritingIntoItsDirectories() {
    explore(
        "commit against writing into its directories",
        List.of(m -> m.write("/out/p=3/q=1/late", "l"), m -> m.write("/out/p=3/q=2/r=1/late", "l")),
        (tree, committed, succeeded) -> {
          assertAdded(tree, committed);
          assertThat(tree.containsKey("/out/p=3/q=1/late")).isEqualTo(succeeded.get(0));
          assertThat(tree.containsKey("/out/p=3/q=2/r=1/late")).isEqualTo(succeeded.get(1));
          assertThat(tree).containsKey("/out/p=1/q=1/old");
        });
  }

  @Test
  void againstWritingIntoWhatItReplaces() {
    explore(
        "commit against writing into what it replaces",
        List.of(m -> m.write("/out/p=2/q=1/late", "l"), m -> m.write("/out/p=2/q=1/r=1/late", "l")),
        (tree, committed, succeeded) -> {
          assertAdded(tree, committed);
          for (String late : List.of("/out/p=2/q=1/late", "/out/p=2/q=1/r=1/late")) {
            if (tree.containsKey(late)) {
              assertThat(tree).containsEntry(late, "l");
            }
          }
          assertThat(tree.containsKey("/out/p=2/q=1/gone")).isEqualTo(!committed);
          assertThat(tree.containsKey("/out/p=2/q=1/r=1/gone")).isEqualTo(!committed);
        });
  }

  @Test
  void againstRemovingWhatItWritesTo() {
    explore(
        "commit against removing what it writes to",
        List.of(m -> m.namespace().delete(path("/out/p=3"), true)),
        (tree, committed, succeeded) -> {
          assertThat(tree).containsKey("/out/p=1/q=1/old");
          assertThat(tree.containsKey("/out/p=1/q=1/a")).isEqualTo(committed);
          assertThat(tree.containsKey("/out/p=3/q=1/b"))
              .isEqualTo(tree.containsKey("/out/p=3/q=2/r=1/c"));
        });
  }

  @Test
  void againstMovingWhatItWritesTo() {
    explore(
        "commit against moving what it writes to",
        List.of(
            m -> m.namespace().rename(path("/out/p=1"), path("/y/p"), false),
            m -> m.namespace().rename(path("/out/p=3/q=2"), path("/y/q"), false)),
        (tree, committed, succeeded) -> {
          assertAdded(tree, committed);
          assertThat(tree.containsKey("/y/p/q=1/old")).isEqualTo(succeeded.get(0));
          assertThat(tree.containsKey("/out/p=1/q=1/old")).isEqualTo(!succeeded.get(0));
        });
  }

  @Test
  void againstMovingWhatItReplaces() {
    explore(
        "commit against moving what it replaces",
        List.of(
            m -> m.namespace().rename(path("/out/p=2"), path("/y/p"), false),
            m -> m.namespace().rename(path("/out/p=2/q=1/r=1"), path("/y/r"), false)),
        (tree, committed, succeeded) -> {
          assertAdded(tree, committed);
          if (!committed) {
            assertThat(tree.values().stream().filter("g"::equals)).hasSize(2);
          }
        });
  }

  @Test
  void againstRemovingWhatItReplaces() {
    explore(
        "commit against removing what it replaces",
        List.of(
            m -> m.namespace().delete(path("/out/p=2"), true),
            m -> m.namespace().delete(path("/out/p=2/q=1/r=1"), true)),
        (tree, committed, succeeded) -> assertAdded(tree, committed));
  }

  @Test
  void againstMovingItsDestination() {
    explore(
        "commit against moving its destination",
        List.of(
            m -> m.namespace().rename(path("/out"), path("/y/out"), false),
            m -> m.write("/out/p=1/q=1/late", "l")),
        (tree, committed, succeeded) -> {
          assertAdded(tree, committed);
          String top = succeeded.get(0) ? "/y/out" : "/out";
          assertThat(tree).containsKey(top + "/p=1/q=1/old");
          assertThat(tree.values().stream().filter("l"::equals)).hasSize(succeeded.get(1) ? 1 : 0);
        });
  }

  @Test
  void againstRemovingItsDestination() {
    explore(
        "commit against removing its destination",
        List.of(
            m -> m.namespace().delete(path("/out"), true), m -> m.write("/out/p=3/q=2/late", "l")),
        (tree, committed, succeeded) ->
            assertThat(tree.values().stream().filter("job"::equals).count())
                .isLessThanOrEqualTo(committed ? 3 : 0));
  }
}
