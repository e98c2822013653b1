// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.apache.hadoop.util.functional.FutureIO.awaitFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the calls of a file system cost in RADOS operations, all of the client's counted. */
class CountedOpsTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    // A process that keeps replaced data collects in the background: no count would be exact.
    conf.set(Options.REPLACED_RETENTION.key(), "0");
    fs = FileSystem.get(URI.create("rados://p/"), conf);
    // The first file of a process also enters it in the list of ledgers.
    write("/first/file");
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private interface Call {
    void run() throws IOException;
  }

  private int ops(Call call) throws IOException {
    int before = cluster.client("client.admin").ops();
    call.run();
    return cluster.client("client.admin").ops() - before;
  }

  private void write(String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), false)) {
      out.write('x');
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 40})
  void aLookUpIsOneReadAtAnyDepth(int depth) throws IOException {
    String directory = "/d".repeat(depth);
    write(directory + "/f");
    assertThat(ops(() -> fs.getFileStatus(new Path(directory + "/f")))).isEqualTo(1);
    assertThat(ops(() -> fs.exists(new Path(directory + "/none")))).isEqualTo(1);
    assertThat(ops(() -> fs.open(new Path(directory + "/f")).close())).isEqualTo(1);
    if (depth > 0) {
      assertThat(ops(() -> fs.getFileStatus(new Path(directory)))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1024, 1", "1025, 2", "2048, 2", "2049, 3"})
  void aListingIsOneReadForEach1024(int files, int reads) throws IOException {
    for (int i = 0; i < files; i++) {
      write("/many/" + i);
    }
    assertThat(ops(() -> assertThat(fs.listStatus(new Path("/many"))).hasSize(files)))
        .isEqualTo(reads);
  }

  /**
   * It may have been renamed to there since: the entry is read, and the listing again. And it may
   * have gone before that: the entry is read once more.
   */
  @Test
  void aListingOfAnEmptyDirectoryIsFour() throws IOException {
    assertThat(fs.mkdirs(new Path("/none"))).isTrue();
    assertThat(ops(() -> assertThat(fs.listStatus(new Path("/none"))).isEmpty())).isEqualTo(4);
  }

  /**
   * As Spark 4 counts a table in Parquet: it lists a partition with block locations, and for each
   * file asks for the status, opens it with that, and reads its footer from the end backwards.
   */
  @Test
  void aPartitionIsPlannedByOneReadAndItsSmallFileCountedByTwo() throws IOException {
    int length = 5_000;
    Path partition = new Path("/table/part=1");
    Path file = new Path(partition, "f");
    try (FSDataOutputStream out = fs.create(file, false)) {
      out.write(new byte[length]);
    }
    assertThat(
            ops(
                () -> {
                  for (FileStatus found : fs.listStatus(partition)) {
                    assertThat(fs.getFileBlockLocations(found, 0, length)).hasSize(1);
                  }
                }))
        .isEqualTo(1);
    assertThat(
            ops(
                () -> {
                  FileStatus status = fs.getFileStatus(file);
                  try (FSDataInputStream in =
                      awaitFuture(fs.openFile(file).withFileStatus(status).build())) {
                    in.seek(length - 8);
                    in.readFully(new byte[8]);
                    in.seek(length - 2_000);
                    in.readFully(new byte[1_992]);
                  }
                }))
        .isEqualTo(2);
  }

  private void overwrite(String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write('x');
    }
  }

  /** The ledger (I4), the data and the entry. Crossing out in the ledger costs none. */
  @Test
  void aSmallFileIsThreeOperations() throws IOException {
    int files = 100;
    int ops =
        ops(
            () -> {
              for (int i = 0; i < files; i++) {
                overwrite("/first/" + i);
              }
            });
    assertThat(ops).isEqualTo(3 * files);
  }

  /** In another directory than before, one must look whether it is there. */
  @Test
  void theFirstInADirectoryIsOneMore() throws IOException {
    fs.mkdirs(new Path("/second"));
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.set("fs.rados.ceph.user", "client.other");
    try (FileSystem other = FileSystem.get(URI.create("rados://p/"), conf)) {
      other.create(new Path("/second/others")).close();
    }
    assertThat(ops(() -> overwrite("/second/a"))).isEqualTo(4);
    assertThat(ops(() -> overwrite("/second/b"))).isEqualTo(3);
  }

  /** What must not replace another is looked for when it is created, and once more guarded. */
  @Test
  void aSmallFileThatMustNotReplaceAnotherIsFour() throws IOException {
    int files = 100;
    int ops =
        ops(
            () -> {
              for (int i = 0; i < files; i++) {
                write("/first/" + i);
              }
            });
    assertThat(ops).isEqualTo(4 * files);
  }

  /**
   * Whoever replaces one file is supposed to replace the next, and looks: no try is for nothing.
   */
  @Test
  void filesWrittenAgainAreLookedFor() throws IOException {
    for (int i = 0; i < 10; i++) {
      overwrite("/first/" + i);
    }
    // As if its name were free, in vain; then a look. As nobody else has changed the directory
    // since
    // it was seen, nothing else is looked at.
    assertThat(ops(() -> overwrite("/first/0"))).isEqualTo(9);
    int files = 9;
    // A look, the ledger, the data, the entry; the removal of the old data, and of the note of it.
    int expected = ops(() -> overwrite("/first/1"));
    int ops =
        ops(
            () -> {
              for (int i = 1; i <= files; i++) {
                overwrite("/first/" + i);
              }
            });
    assertThat(ops).isLessThanOrEqualTo(files * expected);
  }

  /** It is refused by what the look finds, in a directory that is remembered. */
  @Test
  void aSmallFileDoesNotTakeTheNameOfADirectory() throws IOException {
    fs.mkdirs(new Path("/first/directory"));
    overwrite("/first/other");
    FSDataOutputStream out = fs.create(new Path("/first/directory"));
    out.write(1);
    assertThatThrownBy(out::close)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("it is a directory");
    assertThat(cluster.objects("p", "").keySet())
        .noneMatch(object -> object.startsWith("first/directory") && !object.endsWith("/"));
  }

  @Test
  void aLongFileIsLookedForBeforeItsFirstStripe() throws IOException {
    fs.mkdirs(new Path("/first/directory"));
    byte[] stripe = new byte[4 << 20];
    try (FSDataOutputStream out = fs.create(new Path("/first/long"))) {
      assertThat(ops(() -> out.write(stripe))).isEqualTo(3);
      assertThat(ops(() -> out.write(1))).isEqualTo(0);
    }
    FSDataOutputStream out = fs.create(new Path("/first/directory"));
    assertThat(
            ops(
                () ->
                    assertThatThrownBy(() -> out.write(stripe))
                        .isInstanceOf(FileAlreadyExistsException.class)))
        .isEqualTo(1);
    assertThatThrownBy(out::close).hasMessageContaining("it is a directory");
  }

  /** A read and a write of the index, an operation an object, and the list of them crossed out. */
  @Test
  void aBulkDeletionIsTwoOperationsForADirectoryBesideTheData() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      overwrite("/first/" + i);
      files.add(new Path(fs.getUri() + "/first/" + i));
    }
    BulkDelete bulk = fs.createBulkDelete(new Path("/"));
    assertThat(ops(() -> assertThat(bulk.bulkDelete(files)).isEmpty())).isEqualTo(2 + 100 + 1);
    assertThat(fs.listStatus(new Path("/first"))).hasSize(1);
    assertThat(ops(() -> assertThat(bulk.bulkDelete(files)).isEmpty())).isEqualTo(1);
  }

  @Test
  void aRenameWithinADirectoryIsAReadAndAWrite() throws IOException {
    write("/first/a");
    assertThat(
            ops(() -> assertThat(fs.rename(new Path("/first/a"), new Path("/first/b"))).isTrue()))
        .isEqualTo(2);
  }

  /**
   * Each was one more while the source was looked up before, and looked at again for the intent.
   */
  @Test
  void aRenameByATransactionReadsItsSourceOnce() throws IOException {
    write("/first/a");
    fs.mkdirs(new Path("/second"));
    fs.mkdirs(new Path("/first/tree"));
    assertThat(opsOfRename("/first/a", "/second/a")).isEqualTo(22);
    assertThat(opsOfRename("/first/tree", "/second/tree")).isEqualTo(23);
    assertThat(opsOfRename("/second/tree", "/second/other")).isEqualTo(18);
  }

  private int opsOfRename(String from, String to) throws IOException {
    return ops(() -> assertThat(fs.rename(new Path(from), new Path(to))).isTrue());
  }

  /** What the page on performance says. Looking costs less where less has to be looked at. */
  @Test
  void aRenameAcrossDirectoriesIsATransaction() throws IOException {
    write("/from/file");
    write("/from/whole/f");
    write("/from/deep/below/f");
    write("/to/other");
    String[] names = {"file", "whole", "deep"};
    int[] writes = {5, 10, 14};
    int[] reads = {11, 21, 33};
    for (int i = 0; i < names.length; i++) {
      Path from = new Path("/from", names[i]);
      Path to = new Path("/to", names[i]);
      int before = cluster.client("client.admin").writes();
      int all = ops(() -> assertThat(fs.rename(from, to)).isTrue());
      int written = cluster.client("client.admin").writes() - before;
      assertThat(written).as("writes of the rename of %s", from).isEqualTo(writes[i]);
      assertThat(all - written).as("reads of the rename of %s", from).isLessThanOrEqualTo(reads[i]);
    }
  }

  /** The first file beyond the threshold has the directory counted and split. */
  @Test
  void aDirectoryWithShardsCostsTheSame() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.setInt("fs.rados.directory.threshold", 64);
    conf.setInt("fs.rados.directory.shards", 4);
    try (FileSystem small = FileSystem.newInstance(URI.create("rados://p/"), conf)) {
      small.mkdirs(new Path("/large"));
      for (int i = 0; i < 200; i++) {
        small.create(new Path("/large/" + i), false).close();
      }
      assertThat(cluster.objects("p", "").keySet())
          .filteredOn(name -> name.startsWith("large//shard/"))
          .hasSize(4)
          .allMatch(name -> cluster.objects("p", "").get(name).omap().size() < 80);
      assertThat(cluster.objects("p", "").get("large/").omap().keySet())
          .noneMatch(key -> key.startsWith("e/"));
      assertThat(ops(() -> small.getFileStatus(new Path("/large/7")))).isEqualTo(1);
      assertThat(ops(() -> small.exists(new Path("/large/none")))).isEqualTo(1);
      // A look, the ledger and the entry: an empty file has no data.
      assertThat(ops(() -> small.create(new Path("/large/more"), false).close())).isEqualTo(4);
      // The head, then of each shard the marks, then the names.
      assertThat(ops(() -> assertThat(small.listStatus(new Path("/large"))).hasSize(201)))
          .isEqualTo(1 + 4 + 4);
      // One after another, the next three shards are read ahead.
      conf.setInt("fs.rados.directory.shards", 8);
      try (FileSystem more = FileSystem.newInstance(URI.create("rados://p/"), conf)) {
        more.mkdirs(new Path("/larger"));
        for (int i = 0; i < 200; i++) {
          more.create(new Path("/larger/" + i), false).close();
        }
        assertThat(ops(() -> more.listStatusIterator(new Path("/larger")).next()))
            .isEqualTo(1 + 8 + 4);
      }
    }
    // A client that meets it first asks the head object once.
    assertThat(ops(() -> fs.getFileStatus(new Path("/large/7")))).isEqualTo(2);
    assertThat(ops(() -> fs.getFileStatus(new Path("/large/8")))).isEqualTo(1);
  }
}
