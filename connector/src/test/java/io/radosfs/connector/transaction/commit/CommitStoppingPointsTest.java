// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Stops commits of transactions at every RADOS operation and loses every answer: at every instant
 * all directories together are as before or as after (I5), the old data is there until then (I8),
 * and recovery, by aborting or by committing again, converges (I7).
 */
@Execution(ExecutionMode.CONCURRENT)
class CommitStoppingPointsTest {

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  /** What a transaction adds and removes; paths are absolute. */
  private record WriteSet(Map<String, String> add, List<String> remove, Set<String> removeWhole) {}

  /** The files exist before the job does, as tasks would have written them. */
  private static Entry.OfFile data(SimulatedMount mount, FsPath path, String content)
      throws IOException {
    Uid uid = new Uid(String.format("%024x", path.key().hashCode() & 0xffffffffL));
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    FileData data = new FileData(path, uid, false, bytes.length, 1 << 20, Optional.empty());
    if (mount != null) {
      mount.writeStripe(data, bytes);
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return new Entry.OfFile(data, (int) crc.getValue(), SimulatedMount.ATTRIBUTES);
  }

  private static void commit(SimulatedMount mount, WriteSet changes) throws IOException {
    Map<FsPath, DirectoryChange> byDirectory = new HashMap<>();
    for (Map.Entry<String, String> file : changes.add().entrySet()) {
      FsPath path = FsPath.parse(file.getKey());
      byDirectory.merge(
          path.parent(),
          DirectoryChange.adding(Map.of(path.name(), data(null, path, file.getValue()))),
          (change, more) -> change.and(more.add(), more.remove()));
    }
    Transactions transactions = mount.transactions();
    if (transactions.state(JOB).filter(s -> s == State.PENDING).isPresent()) {
      for (String removed : changes.remove()) {
        FsPath path = FsPath.parse(removed);
        byDirectory.merge(
            path.parent(),
            DirectoryChange.removing(
                Map.of(path.name(), mount.namespace().lookup(path).orElseThrow())),
            (change, more) -> change.and(more.add(), more.remove()));
      }
      Set<FsPath> whole = new HashSet<>();
      for (String removed : changes.removeWhole()) {
        whole.add(FsPath.parse(removed));
      }
      transactions.commit(JOB, byDirectory, whole);
    }
    resolve(mount, changes);
  }

  private static void resolve(SimulatedMount mount, WriteSet changes) throws IOException {
    Set<FsPath> directories = new HashSet<>();
    changes.add().keySet().forEach(path -> directories.add(parent(path)));
    changes.remove().forEach(path -> directories.add(parent(path)));
    for (String whole : changes.removeWhole()) {
      directories.add(FsPath.parse(whole));
    }
    mount.transactions().resolve(JOB, directories);
    mount.transactions().forget(JOB);
  }

  private static FsPath parent(String path) {
    return new FsPath(path.substring(1)).parent();
  }

  /** A file system, as this client has it. */
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  private Experiment experiment(
      String name, Map<String, String> before, WriteSet changes, Experiment.Action recovery) {
    Map<String, String> after = new HashMap<>(before);
    changes.remove().forEach(after::remove);
    after
        .keySet()
        .removeIf(
            path -> changes.removeWhole().stream().anyMatch(whole -> path.startsWith(whole + "/")));
    after.putAll(changes.add());
    return Experiment.named(name)
        .setUp(
            client -> {
              SimulatedMount mount = mount(client);
              mount.mkdirs("/out");
              for (Map.Entry<String, String> file : before.entrySet()) {
                mount.write(file.getKey(), file.getValue());
              }
              mount.store().write(JOB.owner(), WriteOp.builder().createExclusive().build());
              for (Map.Entry<String, String> file : changes.add().entrySet()) {
                data(mount, FsPath.parse(file.getKey()), file.getValue());
              }
              mount.transactions().register(JOB);
            })
        .program("driver", client -> commit(mount(client), changes))
        .recover(recovery)
        .checkBeforeRecovery(trial -> check(trial, before, after, changes))
        .check(trial -> check(trial, before, after, changes));
  }

  private void check(
      Trial trial, Map<String, String> before, Map<String, String> after, WriteSet changes)
      throws IOException {
    SimulatedMount mount = mount(trial.observer());
    SortedMap<String, String> files = new TreeMap<>(mount.tree());
    files.keySet().removeIf(path -> path.endsWith("/"));
    Outcome outcome = trial.outcome("driver");
    if (outcome.crashed()
        || AppliedErrors.failed(trial, "driver") && AppliedErrors.saidUnknown(outcome)) {
      assertThat(files).isIn(before, after);
    } else if (AppliedErrors.failed(trial, "driver")) {
      assertThat(files).as("%s", outcome).isEqualTo(recovered(trial, before, after));
    } else {
      assertThat(outcome.failed()).as("%s", outcome).isFalse();
      assertThat(files).isEqualTo(after);
    }
    // The same by name, as by listing.
    for (String path : union(before, after)) {
      assertThat(mount.namespace().lookup(FsPath.parse(path)).isPresent())
          .as(path)
          .isEqualTo(files.containsKey(path));
    }
    boolean committed = files.equals(after);
    PoolChecker.check(
        trial.cluster().objects(SimulatedMount.POOL, ""),
        committed ? Set.of(JOB.owner()) : jobObjects(changes));
  }

  /** What a commit that failed, and was committed again by the recovery, has to show. */
  private static Map<String, String> recovered(
      Trial trial, Map<String, String> before, Map<String, String> after) {
    return trial.cluster().log().of("recovery").isEmpty() ? before : after;
  }

  private static Set<String> union(Map<String, String> one, Map<String, String> other) {
    Set<String> all = new HashSet<>(one.keySet());
    all.addAll(other.keySet());
    return all;
  }

  /** What the job's record, which is not of interest here, would lead to. */
  private static Set<String> jobObjects(WriteSet changes) throws IOException {
    Set<String> objects = new HashSet<>(Set.of(JOB.owner()));
    for (Map.Entry<String, String> file : changes.add().entrySet()) {
      FsPath path = FsPath.parse(file.getKey());
      objects.add(data(null, path, file.getValue()).data().stripe(0));
      for (FsPath at = path.parent(); !at.equals(OUT); at = at.parent()) {
        objects.add(ObjectNames.index(at));
      }
    }
    return objects;
  }

  private void explore(String name, Map<String, String> before, WriteSet changes) {
    Experiment again =
        experiment(
            name + ", committed again", before, changes, client -> commit(mount(client), changes));
    again.once();
    assertThat(again.everyStoppingPoint().complete()).isTrue();
    assertThat(again.writesOnly().faults(AppliedErrors.FAULTS).everyStoppingPoint().complete())
        .isTrue();
    Experiment aborted =
        experiment(name + ", aborted", before, changes, client -> abort(client, changes));
    assertThat(aborted.everyStoppingPoint().complete()).isTrue();
  }

  private void abort(SimulatedClient client, WriteSet changes) throws IOException {
    SimulatedMount mount = mount(client);
    mount.transactions().abort(JOB);
    resolve(mount, changes);
  }

  @Test
  void oneDirectory() {
    explore(
        "commit to one directory",
        Map.of("/out/old", "o"),
        new WriteSet(Map.of("/out/a", "a", "/out/b", "b"), List.of(), Set.of()));
  }

  @Test
  void severalDirectories() {
    explore(
        "commit to several directories, old and new",
        Map.of("/out/old", "o", "/out/p=1/old", "o"),
        new WriteSet(
            Map.of(
                "/out/a", "a",
                "/out/p=1/b", "b",
                "/out/p=2/c", "c",
                "/out/p=3/q=1/d", "d",
                "/out/p=3/q=2/e", "e"),
            List.of(),
            Set.of()));
  }

  @Test
  void replacedFiles() {
    explore(
        "commit that replaces files",
        Map.of("/out/a", "old", "/out/x", "old", "/out/p=1/b", "old", "/out/p=1/y", "old"),
        new WriteSet(
            Map.of("/out/a", "new", "/out/p=1/b", "new"),
            List.of("/out/a", "/out/x", "/out/p=1/b", "/out/p=1/y"),
            Set.of()));
  }

  @Test
  void replacedDirectories() {
    explore(
        "commit that replaces whole directories",
        Map.of("/out/a", "old", "/out/p=1/b", "old", "/out/p=2/q=1/c", "old"),
        new WriteSet(
            Map.of("/out/n", "new", "/out/p=1/b", "new"),
            List.of("/out/a", "/out/p=1/b"),
            Set.of("/out/p=2")));
  }
}
