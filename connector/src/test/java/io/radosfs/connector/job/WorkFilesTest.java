// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.superblock.DataPools;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkFilesTest {

  private static final Attributes FILE = new Attributes(0, 0644, "me", "us");
  private static final WorkPath WORK =
      WorkPath.of(new FsPath("out"), "j1", new TaskAttempt("m000000", "0"));

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final SimulatedClient client = cluster.client("a");
  private final BufferPool buffers = new BufferPool(1 << 20);
  private ObjectStore store;
  private WorkFiles files;
  private JobRecord record;

  @BeforeEach
  void open() throws Exception {
    store = client.open("meta", "");
    files = newInstance();
    record = new JobRecord(store, WORK.destination(), "j1");
    record.create(new JobInfo("j1", "j1", "test", "test", "me", 0), () -> {});
  }

  private WorkFiles newInstance() throws IOException {
    return new WorkFiles(store, objects(), () -> 42L);
  }

  private FileObjects objects() throws IOException {
    DataRemover remover = new DataRemover(any -> store, 4);
    JobLayouts layouts = new JobLayouts(new DataPools(store), SimulatedMount.of(client).layouts());
    return new FileObjects(any -> store, remover, 1000, layouts, any -> true);
  }

  private void write(WorkFiles target, String relative, int bytes) throws Exception {
    write(target, relative, bytes, /* overwrite= */ false);
  }

  private void write(WorkFiles target, String relative, int bytes, boolean overwrite)
      throws Exception {
    WorkFiles.NewWorkFile created = target.create(WORK.resolve(relative), overwrite, FILE);
    try (StripedOutputStream out =
        new StripedOutputStream(
            store, created.data(), created.publisher(), buffers, StreamSettings.defaults())) {
      out.write(new byte[bytes], 0, bytes);
    }
  }

  /** With the first file of a job comes a look whether there are layouts. */
  @Test
  void dataGoesToItsFinalNamesAndTwoRecordWritesComeWithIt() throws Exception {
    int before = client.ops();
    write(files, "p=1/part-0", 500);
    assertThat(client.ops() - before).isEqualTo(4);
    before = client.ops();
    write(files, "p=2/part-1", 500);
    assertThat(client.ops() - before).isEqualTo(3);
    assertThat(cluster.objects("meta", "").keySet())
        .containsExactly("out//job/j1", "out/p=1/part-0", "out/p=2/part-1");
  }

  @Test
  void aClosedFileIsFoundFromMemoryAndByOthersFromTheRecord() throws Exception {
    write(files, "p=1/part-0", 2500);
    int before = client.ops();
    Entry own = files.lookup(WORK.resolve("p=1/part-0")).orElseThrow();
    assertThat(client.ops()).isEqualTo(before);
    assertThat(own.attributes().modified()).isEqualTo(42);
    assertThat(((Entry.OfFile) own).data().length()).isEqualTo(2500);
    assertThat(newInstance().lookup(WORK.resolve("p=1/part-0"))).contains(own);
    assertThat(client.ops() - before).isEqualTo(1);
    assertThat(newInstance().lookup(WORK.resolve("p=1")).orElseThrow())
        .isInstanceOf(Entry.OfDirectory.class);
    assertThat(newInstance().lookup(WORK.resolve("p="))).isEmpty();
    assertThat(files.lookup(WORK).orElseThrow()).isInstanceOf(Entry.OfDirectory.class);
  }

  @Test
  void filesAreListedAndDeleted() throws Exception {
    write(files, "p=1/part-0", 2500);
    write(files, "p=1/part-1", 0);
    write(files, "top", 1);
    assertThat(files.list(WORK))
        .extracting(child -> child.path().name())
        .containsExactly("p=1", "top");
    assertThat(files.list(WORK.resolve("p=1")))
        .extracting(child -> child.path().toString())
        .containsExactly(
            "/out/__radosfs_work/j1/m000000/0/p=1/part-0",
            "/out/__radosfs_work/j1/m000000/0/p=1/part-1");
    assertThat(files.list(WORK.resolve("top"))).hasSize(1);
    assertThatThrownBy(() -> files.list(WORK.resolve("none")))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> files.delete(WORK.resolve("p=1"), false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(files.delete(WORK.resolve("p=1"), true)).isTrue();
    assertThat(files.delete(WORK.resolve("p=1"), true)).isFalse();
    assertThat(cluster.objects("meta", "").keySet()).containsExactly("out//job/j1", "out/top");
    assertThat(files.delete(WORK.resolve("top"), false)).isTrue();
    assertThat(record.of(WORK.attempt()).contents().files()).isEmpty();
  }

  @Test
  void aFileIsNotWrittenTwiceUnlessToBeOverwritten() throws Exception {
    write(files, "part-0", 10);
    assertThatThrownBy(() -> files.create(WORK.resolve("part-0"), false, FILE))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(files.create(WORK.resolve("part-0"), true, FILE).data().origin())
        .isEqualTo(new FsPath("out/part-0"));
    assertThat(cluster.objects("meta", "").keySet()).containsExactly("out//job/j1");
  }

  @Test
  void twoAttemptsMeetAtOneName() throws Exception {
    write(files, "part-0", 10);
    WorkPath other = WorkPath.of(WORK.destination(), "j1", new TaskAttempt("m000000", "1"));
    WorkFiles.NewWorkFile second = files.create(other.resolve("part-0"), false, FILE);
    try (StripedOutputStream out =
        new StripedOutputStream(
            store, second.data(), second.publisher(), buffers, StreamSettings.defaults())) {
      out.write(7);
    }
    assertThat(cluster.objects("meta", "").keySet())
        .containsExactly("out//job/j1", "out/part-0", "out/part-0//~" + second.data().uid());
  }

  @Test
  void aLateFileLeavesNothing() throws Exception {
    assertThatThrownBy(
            () -> {
              WorkFiles.NewWorkFile created = files.create(WORK.resolve("part-0"), false, FILE);
              try (StripedOutputStream out =
                  new StripedOutputStream(
                      store,
                      created.data(),
                      created.publisher(),
                      buffers,
                      StreamSettings.defaults())) {
                out.write(new byte[3000], 0, 3000);
                assertThat(record.change(JobState.RUNNING, JobState.COMMITTING)).isPresent();
              }
            })
        .isInstanceOf(JobEndedException.class);
    assertThat(cluster.objects("meta", "").keySet()).containsExactly("out//job/j1");
    assertThat(cluster.objects("meta", "").get("out//job/j1").omap()).containsOnlyKeys("i", "s");
  }

  @Test
  void nothingIsRenamed() {
    assertThatThrownBy(() -> files.rename(WORK.resolve("a"), new FsPath("out/a")))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("spark.sql.sources.commitProtocolClass");
  }

  /** An attempt may write more files than are remembered; two of one path cannot be committed. */
  @Test
  void aFileThatIsNotRememberedAnyMoreIsReplacedAllTheSame() throws Exception {
    WorkFiles two = new WorkFiles(store, objects(), () -> 42L, 2);
    for (String name : new String[] {"a", "b", "c"}) {
      write(two, name, 500);
    }
    assertThatThrownBy(() -> two.create(WORK.resolve("a"), false, FILE))
        .isInstanceOf(FileAlreadyExistsException.class);
    write(two, "a", 700, /* overwrite= */ true);
    assertThat(record.of(WORK.attempt()).contents().files())
        .filteredOn(WorkFile::isThere)
        .extracting(file -> file.relative() + " " + file.data().length())
        .containsExactlyInAnyOrder("a 700", "b 500", "c 500");
  }

  /** A read for each file, for those that have closed so many alone. */
  @Test
  void othersCostNothingForThat() throws Exception {
    WorkFiles two = new WorkFiles(store, objects(), () -> 42L, 2);
    for (String name : new String[] {"a", "b", "c"}) {
      write(two, name, 500);
    }
    int before = client.ops();
    two.create(WORK.resolve("d"), false, FILE);
    assertThat(client.ops() - before).isEqualTo(1);
    two.create(
        WorkPath.of(WORK.destination(), "j1", new TaskAttempt("m000001", "0")).resolve("d"),
        false,
        FILE);
    assertThat(client.ops() - before).isEqualTo(1);
  }
}
