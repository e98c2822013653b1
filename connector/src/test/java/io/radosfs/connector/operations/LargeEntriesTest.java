// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Directories whose files have so many bytes of extended attributes that few of them fit one
 * operation: whatever is done to such a directory, no operation is beyond {@code
 * osd_max_write_size}.
 */
class LargeEntriesTest {

  private static final int FILES = 24;
  private static final int ATTRIBUTE_BYTES = 4 << 10;

  /** An operation takes some three files. */
  private static final BatchLimit LIMIT = new BatchLimit(16_384, 20 << 10);

  /** Of all files together half would be beyond it. */
  private static final int MAX_WRITE_BYTES = 60 << 10;

  private static final Sharding WHOLE = new Sharding(65_536, 64);
  private static final FsPath DIRECTORY = new FsPath("d");

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  @BeforeEach
  void setUp() throws IOException {
    SimulatedMount mount = mount("setup", WHOLE);
    for (int i = 0; i < FILES; i++) {
      write(mount, path(i), i);
    }
    write(mount, DIRECTORY.child("below").child("file"), FILES);
    cluster.setMaxWriteBytes(SimulatedMount.POOL, MAX_WRITE_BYTES);
  }

  private SimulatedMount mount(String client, Sharding sharding) throws IOException {
    return SimulatedMount.of(cluster.client(client), sharding, LIMIT);
  }

  private static FsPath path(int i) throws IOException {
    return DIRECTORY.child(String.format("file-%02d", i));
  }

  private static Xattrs xattrs(int i) {
    byte[] value = new byte[ATTRIBUTE_BYTES];
    value[0] = (byte) i;
    return Xattrs.NONE.with("user.much", value);
  }

  private static void write(SimulatedMount mount, FsPath path, int i) throws IOException {
    mount.write(path.toString(), "content " + i);
    mount.namespace().setAttributes(path, before -> before.withXattrs(xattrs(i)));
  }

  /** All files below a directory, with their content and attributes. */
  private SortedMap<String, String> files(FsPath directory) throws IOException {
    SimulatedMount mount = mount("reader", WHOLE);
    SortedMap<String, String> files = new TreeMap<>();
    for (Namespace.Child child : mount.namespace().list(directory)) {
      if (child.entry() instanceof Entry.OfDirectory) {
        files(child.path())
            .forEach((name, what) -> files.put(child.path().name() + "/" + name, what));
      } else {
        Entry entry = mount.namespace().lookup(child.path()).orElseThrow();
        byte[] value = entry.attributes().xattrs().value("user.much").orElse(new byte[1]);
        files.put(
            child.path().name(), mount.read(child.path()) + ", " + value[0] + ", " + value.length);
      }
    }
    return files;
  }

  private void check() throws IOException {
    PoolChecker.check(cluster, SimulatedMount.POOL);
  }

  @Test
  void aDirectoryIsRenamed() throws IOException {
    SortedMap<String, String> before = files(DIRECTORY);
    assertThat(before).hasSize(FILES + 1);
    FsPath destination = new FsPath("e");
    mount("client", WHOLE).namespace().rename(DIRECTORY, destination, false);
    assertThat(files(destination)).isEqualTo(before);
    assertThat(files(FsPath.ROOT).keySet()).noneMatch(name -> name.startsWith("d/"));
    check();
  }

  @Test
  void anotherFinishesARenameWhoseClientHasDied() throws IOException {
    int finished = 0;
    int write = -1;
    while (true) {
      write += 4;
      LargeEntriesTest trial = new LargeEntriesTest();
      trial.setUp();
      if (!trial.diesInARename(write)) {
        break;
      }
      SortedMap<String, String> before = files(DIRECTORY);
      trial.mount("recovery", WHOLE).sweep();
      SortedMap<String, String> after = trial.files(FsPath.ROOT);
      boolean renamed = after.firstKey().startsWith("e/");
      finished += renamed ? 1 : 0;
      assertThat(trial.files(new FsPath(renamed ? "e" : "d"))).isEqualTo(before);
      assertThat(after).hasSize(FILES + 1);
      trial.check();
    }
    assertThat(finished).as("of %d", write).isBetween(2, write / 4 - 2);
  }

  private boolean diesInARename(int write) throws IOException {
    cluster.client("client").faults().atWrite(write, Fault.CRASH_AFTER);
    try {
      mount("client", WHOLE).namespace().rename(DIRECTORY, new FsPath("e"), false);
      return false;
    } catch (ClientCrashed expected) {
      return true;
    }
  }

  @Test
  void aDirectoryIsSplitAndRenamedThen() throws IOException {
    SortedMap<String, String> before = files(DIRECTORY);
    SimulatedMount mount = mount("client", new Sharding(8, 2));
    assertThat(mount.wiring().splitter().splitIfLarge(DIRECTORY, 0)).isFalse();
    assertThat(mount.shards("/d")).isEqualTo(2);
    assertThat(files(DIRECTORY)).isEqualTo(before);
    FsPath destination = new FsPath("e");
    mount.namespace().rename(DIRECTORY, destination, false);
    assertThat(files(destination)).isEqualTo(before);
    check();
  }

  @Test
  void aDirectoryIsDeleted() throws IOException {
    assertThat(mount("client", WHOLE).namespace().delete(DIRECTORY, true)).isTrue();
    assertThat(files(FsPath.ROOT)).isEmpty();
    check();
  }

  @Test
  void manyFilesAreDeletedAtOnce() throws IOException {
    List<FsPath> paths = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      paths.add(path(i));
    }
    assertThat(mount("client", WHOLE).namespace().deleteAll(paths)).isEmpty();
    long onIndex =
        cluster.log().of("client").stream().filter(done -> done.op().object().equals("d/")).count();
    assertThat(onIndex).as("by several at a time, not one by one").isLessThan(2 * FILES);
    assertThat(files(DIRECTORY)).containsOnlyKeys("below/file");
    check();
  }

  @Test
  void aJobReplacesThemWhereItDecides() throws IOException {
    aJobReplacesThem(DIRECTORY);
  }

  @Test
  void aJobReplacesThemInAPartition() throws IOException {
    aJobReplacesThem(FsPath.ROOT);
  }

  private void aJobReplacesThem(FsPath coordinator) throws IOException {
    SimulatedMount mount = mount("driver", WHOLE);
    SortedMap<String, Entry> removed = new TreeMap<>();
    for (int i = 0; i < FILES; i++) {
      removed.put(path(i).name(), mount.namespace().lookup(path(i)).orElseThrow());
    }
    Registration job = new Registration("job", coordinator, "job's record");
    mount.transactions().register(job);
    DirectoryChange change = DirectoryChange.removing(removed);
    mount.transactions().commit(job, Map.of(DIRECTORY, change), Set.of());
    mount.transactions().forget(job);
    assertThat(files(DIRECTORY)).containsOnlyKeys("below/file");
    check();
  }
}
