// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class RadosfsTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return run(1, List.of(args));
  }

  /** The settings come after so many words, which are verbs. */
  private int run(int verbs, List<String> args) {
    List<String> all = new ArrayList<>(args);
    for (String key : new String[] {"fs.rados.cluster.factory", "fs.rados.ceph.conf"}) {
      all.add(verbs, "-D" + key + "=" + conf.get(key));
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Radosfs.run(new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }

  /** As on a disk that is full: what is there is not all. */
  @Test
  void whatCannotBePrintedIsAFailure() {
    Writer full =
        new Writer() {
          private int room = 20;

          @Override
          public void write(char[] text, int from, int count) throws IOException {
            room -= count;
            if (room < 0) {
              throw new IOException("No space left on device");
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    assertThat(Radosfs.run(new PrintWriter(full), new PrintWriter(err), "--help")).isEqualTo(1);
    assertThat(err.toString()).contains("what was printed could not be written, or not all of it");
    assertThat(Radosfs.run(new PrintWriter(out), new PrintWriter(err), "--help")).isZero();
  }

  @Test
  void formatsOnce() {
    assertThat(run("format", "--data-pool", "ec", "--object-size", "1K", "rados://meta")).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            "rados://meta: layout version 1, data in pool ec, object size 1.0 KiB\n");
    assertThat(run("format", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("radosfs: rados://meta is formatted already");
  }

  @Test
  void formatWritesNothingWhenThePoolIsMissing() {
    assertThat(run("format", "--data-pool", "none", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("no pool 'none'").contains("holds data of its files");
    assertThat(cluster.objects("meta", "")).isEmpty();
  }

  /** The matrix runs it on such a Java. */
  @Test
  void aJavaThatHadoopDoesNotRunOnIsNamed() {
    assertThat(Radosfs.message(new UnsupportedOperationException("getSubject is not supported")))
        .startsWith("Hadoop " + VersionInfo.getVersion() + " does not run on Java ")
        .endsWith("set JAVA_HOME to a JDK 17 or 21");
    assertThat(Radosfs.message(new UnsupportedOperationException("append"))).isEqualTo("append");
  }

  @Test
  void looksWithoutFormatting() {
    assertThat(run("info", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("holds no file system yet");
    assertThat(cluster.objects("meta", "")).isEmpty();
    assertThat(run("stat", "hdfs://x/y")).isEqualTo(1);
    assertThat(run("nonsense", "x")).isEqualTo(2);
  }

  /** What older versions made by a look into a pool of somebody else. */
  @Test
  void fsckCallsNoObjectsOfOthersLeaks() throws IOException {
    ObjectStore store = cluster.client("client.other").open("meta", "");
    store.write("rbd_directory", WriteOp.builder().setOmap("id", new byte[1]).build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(err.toString()).contains("holds no file system yet");
    cluster.setApplications("meta", "rbd");
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(err.toString()).contains("pool 'meta' belongs to rbd");
    store.write(
        ObjectNames.SUPERBLOCK,
        WriteOp.builder().setOmap(new Superblock(Optional.empty(), 1 << 20, 1).encode()).build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(err.toString())
        .contains("nothing else of radosfs: the other objects (1) are somebody else's")
        .contains("`rados -p meta rm //superblock`");
    assertThat(out.toString()).doesNotContain("rbd_directory");
  }

  /** It is another module's, and not on this one's class path. */
  @Test
  void jobsNeedTheCommitter() {
    assertThat(run("format", "rados://meta")).isZero();
    assertThat(run(2, List.of("jobs", "list", "rados://meta/"))).isEqualTo(1);
    assertThat(err.toString()).contains("radosfs: the committer is not on the class path");
  }

  @Test
  void showsWhereAFileIs() throws IOException {
    assertThat(run("format", "--data-pool", "ec", "--object-size", "1K", "rados://meta")).isZero();
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
        FSDataOutputStream data = fs.create(new Path("/a/b"))) {
      data.write(new byte[2500]);
    }
    assertThat(run("objects", "rados://meta/a/b")).isZero();
    List<String> objects = out.toString().lines().toList();
    assertThat(objects).hasSize(3).startsWith("a/b");
    assertThat(cluster.objects("ec", "").keySet())
        .contains("//data-of/meta")
        .containsAll(objects)
        .hasSize(objects.size() + 1);
    assertThat(run("stat", "rados://meta/a/b")).isZero();
    assertThat(out.toString()).containsPattern("length +2.4 KiB").containsPattern("pool +ec");
    assertThat(run("objects", "rados://meta/a")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("a/\n");
    assertThat(run("info", "rados://meta")).isZero();
    assertThat(out.toString())
        .contains("data in pool ec, object size 1.0 KiB")
        .contains("index pool");
    assertThat(run("stat", "rados://meta/none")).isEqualTo(1);
    assertThat(err.toString()).contains("no such file: rados://meta/none");
    assertThat(cluster.objects("meta", "")).containsKey(ObjectNames.SUPERBLOCK);
  }

  @Test
  void tellsOfReplacedDataAndCollectsIt() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    for (int i = 0; i < 2; i++) {
      try (FSDataOutputStream file = fs.create(new Path("rados://meta/f"), true)) {
        file.write(new byte[100]);
      }
    }
    fs.close();
    assertThat(run("fsck", "rados://meta")).isZero();
    assertThat(out.toString()).contains("1 replaced files, 100 B, are kept");
    assertThat(run("gc", "--dry-run", "rados://meta")).isZero();
    assertThat(out.toString()).contains("would remove: replaced data of /f (").contains("once it");
    assertThat(run("gc", "rados://meta")).isZero();
    assertThat(out.toString())
        .contains("still there: data of 1 replaced files, 100 B, until 20")
        .contains("0 removed, 0 kept");
    assertThat(run("gc", "--replaced-now", "rados://meta")).isZero();
    assertThat(out.toString())
        .contains("removed: data of 1 replaced files, 100 B")
        .doesNotContain("still there")
        .contains("1 removed, 0 kept");
    assertThat(run("fsck", "--data", "rados://meta")).isZero();
    assertThat(out.toString()).doesNotContain("replaced").contains("0 wrong");
  }

  @Test
  void collectsWhatAWriterLeft() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    FSDataOutputStream kept = fs.create(new Path("rados://meta/d/kept"));
    kept.write(1);
    kept.close();
    FSDataOutputStream left = fs.create(new Path("rados://meta/d/left"));
    left.write(new byte[10 << 20]);
    assertThat(run("gc", "--dry-run", "rados://meta")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("nothing was changed\n");
    assertThat(run("gc", "rados://meta")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("0 removed, 0 kept\n");
    assertThat(run("gc", "--dry-run", "--older-than", "0s", "rados://meta")).isZero();
    assertThat(out.toString()).contains("would take over: ledger //ledger/").contains("d/left");

    assertThat(run("gc", "--older-than", "0s", "rados://meta")).isZero();
    assertThat(out.toString())
        .contains("removed: what was written of /d/left")
        .contains("1 removed");
    assertThat(cluster.objects("meta", "").keySet())
        .containsExactlyInAnyOrder("//superblock", "//ledgers", "/", "d/", "d/kept");

    // The writer was alive after all.
    assertThatThrownBy(left::close)
        .isInstanceOf(LedgerTakenOverException.class)
        .hasMessageContaining("taken over by `radosfs gc`");
    assertThat(cluster.objects("meta", "").keySet()).noneMatch(name -> name.startsWith("d/left"));
    try (FSDataOutputStream again = fs.create(new Path("rados://meta/d/left"))) {
      again.write(2);
    }
    assertThat(fs.getFileStatus(new Path("rados://meta/d/left")).getLen()).isEqualTo(1);
    fs.close();
  }

  @Test
  void findsWhatDoesNotGoTogether() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    for (String name : new String[] {"/d/good", "/d/torn", "/d/short"}) {
      try (FSDataOutputStream file = fs.create(new Path("rados://meta" + name))) {
        file.write(new byte[10 << 20]);
      }
    }
    FSDataOutputStream open = fs.create(new Path("rados://meta/d/open"));
    open.write(new byte[10 << 20]);
    assertThat(run("fsck", "--data", "--notes", "rados://meta")).isZero();
    assertThat(out.toString())
        .contains("has 1 entries: files being written")
        .contains("2 directories, 3 files: 0 wrong, 1 unfinished");

    ObjectStore store = cluster.client("vandal").open("meta", "");
    String torn = stripe(store, "d/torn//");
    store.write(torn, WriteOp.builder().remove().build());
    store.write(
        stripe(store, "d/short//"), WriteOp.builder().writeFull(ByteBuffer.allocate(7)).build());
    store.write("stray", WriteOp.builder().createExclusive().build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString())
        .contains("MISSING /d/torn: its object '" + torn + "' is not there")
        .contains("LEAK stray: nothing leads to this object of pool meta")
        .contains("2 wrong");
    store.write("d/", WriteOp.builder().setOmap("e/bad", new byte[] {'?'}).build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString())
        .contains("UNREADABLE d/: cannot read omap key 'e/bad'")
        .contains("not checked: whether something leads to 1 objects that are found by none")
        .doesNotContain("LEAK")
        .contains("2 wrong, 1 unfinished, 1 not checked");
    assertThat(run("fsck", "--data", "rados://meta")).isEqualTo(1);
    assertThat(out.toString()).contains("LENGTH /d/short: ").contains("holds 7 bytes, not 4194304");
    open.close();
    fs.close();
  }

  /** 1 would say that the file system is damaged. */
  @Test
  void aCheckThatIsOutOfMemoryHasNotCheckedAll() {
    assertThat(run("format", "rados://meta")).isZero();
    cluster
        .client("client.admin")
        .faults()
        .before(
            op -> {
              if (op.summary().equals("list")) {
                throw new OutOfMemoryError("Java heap space");
              }
            });
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(err.toString())
        .contains("radosfs: out of memory (Java heap space), so it was not finished")
        .contains("RADOSFS_JAVA_OPTS=-Xmx8g");
  }

  /** By the checksum that an OSD takes, and no byte of the file is asked for. */
  @Test
  void findsOtherDataThanWasWrittenAndNamesTheObject() throws IOException {
    int stripe = 4 << 20;
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    for (String name : new String[] {"/d/first", "/d/later", "/d/old"}) {
      try (FSDataOutputStream file = fs.create(new Path("rados://meta" + name))) {
        file.write(new byte[2 * stripe + 7]);
      }
    }
    fs.close();
    ObjectStore store = cluster.client("vandal").open("meta", "");
    byte[] flipped = new byte[stripe];
    flipped[100] = 1;
    WriteOp flip = WriteOp.builder().writeFull(ByteBuffer.wrap(flipped)).build();
    store.write("d/first", flip);
    String later = stripe(store, "d/later//");
    store.write(later, flip);
    // As an earlier build wrote it, which recorded no checksums of objects.
    String old = stripe(store, "d/old//");
    store.write(old, WriteOp.builder().remove().build());
    store.write(old, flip);

    int before = cluster.log().size();
    assertThat(run("fsck", "rados://meta")).isZero();
    assertThat(run("fsck", "--data", "rados://meta")).isEqualTo(1);
    assertThat(out.toString())
        .contains("CONTENT /d/first: its object 'd/first' holds other data than was written, in")
        .contains("in bytes 0 to 4194303 of the file: ")
        .contains("CONTENT /d/later: its object '" + later + "' holds other data than was written")
        .contains("in bytes " + stripeRange(later, stripe) + " of the file: CRC-32C ")
        .contains("CONTENT /d/old: its object 'd/old' or one of those after it, up to 'd/old//")
        .contains("3 wrong");
    assertThat(cluster.log().entries().subList(before, cluster.log().size()))
        .extracting(entry -> entry.op().summary())
        .anyMatch(summary -> summary.contains("crc32c"))
        .noneMatch(summary -> summary.contains("data("));
  }

  private static String stripeRange(String object, int size) {
    int k = Integer.parseInt(object.substring(object.length() - 8), 16);
    return k * size + " to " + Math.min(2 * size + 6, (k + 1) * size - 1);
  }

  @Test
  void fsckNamesADamagedMarkOfALockedDirectoryAndGoesOn() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    fs.create(new Path("rados://meta/d/f")).close();
    ObjectStore store = cluster.client("vandal").open("meta", "");
    store.write(
        "d/",
        WriteOp.builder()
            .setOmap(IndexKeys.HEAD, IndexHead.frozen("t1").encode())
            .setOmap(IndexKeys.transaction("t1"), new byte[] {'?'})
            .build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString())
        .contains("UNREADABLE d/: cannot read omap key 't/t1'")
        .contains("1 files: 1 wrong");
    fs.close();
  }

  /** It does not end there: the rest is looked at, and what was not is named. */
  @Test
  void fsckGoesOnWhereItIsNotAnswered() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    for (String name : new String[] {"/a/f", "/b/f", "/c/f"}) {
      write(fs, name, 10 << 20);
    }
    fs.close();
    FaultPlan faults = cluster.client(conf.get("fs.rados.ceph.user", "client.admin")).faults();
    faults.always(op -> !op.write() && op.object().equals("b/"), Fault.LOSE_REQUEST);
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(out.toString())
        .contains("not checked: b/: ")
        .contains("not checked: whether something leads to each object of pool meta")
        .doesNotContain("LEAK")
        .contains("3 directories, 2 files: 0 wrong, 0 unfinished, 2 not checked");

    ObjectStore store = cluster.client("vandal").open("meta", "");
    store.write(stripe(store, "c/f//"), WriteOp.builder().remove().build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString()).contains("not checked: b/: ").contains("MISSING /c/f: ");

    faults.clear();
    faults.always(op -> op.summary().equals("list"), Fault.failWith(StoreException.Kind.TIMED_OUT));
    assertThat(run("fsck", "rados://meta")).isEqualTo(3);
    assertThat(out.toString())
        .contains("not checked: the objects of pool meta: ")
        .contains("4 directories, 3 files: 0 wrong");

    faults.clear();
    faults.always(op -> op.object().equals("//ledgers"), Fault.LOSE_REQUEST);
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString()).contains("not checked: //ledgers: ").contains("MISSING /c/f: ");
  }

  private static String stripe(ObjectStore store, String prefix) throws IOException {
    List<String> found = new ArrayList<>();
    store.list(
        name -> {
          if (name.startsWith(prefix) && name.endsWith("1")) {
            found.add(name);
          }
        });
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  void setsLayoutsOfDirectories() throws IOException {
    cluster.addReplicatedPool("hot");
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      fs.mkdirs(new Path("/d"));
      assertThat(layout("get", "rados://meta/d")).isZero();
      assertThat(out.toString())
          .isEqualToNormalizingNewlines(
              "new files: pool meta, object size 4.0 MiB (the default)\n");
      assertThat(layout("set", "--data-pool", "ec", "--object-size", "1K", "rados://meta/d"))
          .isZero();
      assertThat(out.toString())
          .isEqualToNormalizingNewlines("new files: pool ec, object size 1.0 KiB\n");
      write(fs, "/d/f", 2500);
      fs.mkdirs(new Path("/d/s"));
      fs.rename(new Path("/d"), new Path("/e"));
    }
    assertThat(run("stat", "rados://meta/e/f")).isZero();
    assertThat(out.toString()).containsPattern("pool +ec").containsPattern("object size +1.0 KiB");
    assertThat(run("stat", "rados://meta/e/s")).isZero();
    assertThat(out.toString()).containsPattern("new files +pool ec, object size 1.0 KiB");
    assertThat(run("info", "rados://meta")).isZero();
    assertThat(out.toString()).containsPattern("data pool +ec: ").contains("room for");
    assertThat(layout("set", "--data-pool", "hot", "rados://meta/e")).isZero();
    assertThat(out.toString()).contains("pool hot, object size 1.0 KiB");
    assertThat(layout("clear", "rados://meta/e")).isZero();
    assertThat(out.toString()).contains("the default");
    assertThat(run("fsck", "--data", "rados://meta")).isZero();

    assertThat(layout("set", "--data-pool", "none", "rados://meta/e")).isEqualTo(1);
    assertThat(err.toString()).contains("the cluster has no pool 'none'");
    assertThat(layout("get", "rados://meta/none")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no directory /none");
    assertThat(layout("set", "rados://meta/e")).isEqualTo(2);
    assertThat(err.toString()).contains("give --data-pool, --object-size or both");
    assertThat(layout("set", "--object-size", "1", "rados://meta/e")).isEqualTo(2);
    assertThat(err.toString()).contains("a size from 1K to 64M");
  }

  private int layout(String verb, String... args) {
    List<String> all = new ArrayList<>(List.of("layout", verb));
    all.addAll(List.of(args));
    return run(2, all);
  }

  private static void write(FileSystem fs, String path, int bytes) throws IOException {
    try (FSDataOutputStream data = fs.create(new Path(path))) {
      data.write(new byte[bytes]);
    }
  }

  /** A leak in a pool that no layout names any more is found too. */
  @Test
  void fsckLooksAtEveryPoolThatALayoutHasNamed() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      fs.mkdirs(new Path("/d"));
      assertThat(layout("set", "--data-pool", "ec", "rados://meta/d")).isZero();
      write(fs, "/d/f", 10);
      assertThat(fs.delete(new Path("/d"), true)).isTrue();
    }
    assertThat(run("fsck", "rados://meta")).isZero();
    ObjectStore ec = cluster.client("other").open("ec", "");
    ec.write("d/left", WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[1])).build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString()).contains("LEAK d/left: nothing leads to this object of pool ec");
  }

  @Test
  void fsckNamesALayoutThatCannotBeRead() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      write(fs, "/d/f", 10);
    }
    byte[] damaged = "layout 9 pool=x".getBytes(StandardCharsets.UTF_8);
    cluster
        .client("other")
        .open("meta", "")
        .write("d/", WriteOp.builder().setOmap(IndexKeys.LAYOUT, damaged).build());
    assertThat(run("fsck", "rados://meta")).isEqualTo(1);
    assertThat(out.toString()).contains("UNREADABLE d/: cannot read omap key 'h.layout'");
  }

  @Test
  void fsckNamesFilesWhosePoolIsGone() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      fs.mkdirs(new Path("/d"));
      assertThat(layout("set", "--data-pool", "ec", "rados://meta/d")).isZero();
      write(fs, "/d/f", 10);
    }
    cluster.removePool("ec");
    assertThat(run("fsck", "--notes", "rados://meta")).isEqualTo(1);
    assertThat(out.toString())
        .contains("MISSING /d/f: its object 'd/f' is not there")
        .contains("data pool ec, which a layout named, is not in the cluster");

    // What is left of such files can be deleted, and what is left of that collected.
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      assertThat(fs.delete(new Path("/d"), true)).isTrue();
    }
    assertThat(cluster.objects("meta", "").keySet()).doesNotContain("d/");
    assertThat(run("gc", "--older-than", "0s", "rados://meta")).isZero();
    assertThat(run("fsck", "rados://meta")).isZero();
  }

  /** Who names one table does not want the replaced data of all the others to be removed. */
  @Test
  void verbsThatWorkOnAWholeFileSystemTakeNoPath() throws IOException {
    FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf);
    for (int i = 0; i < 2; i++) {
      try (FSDataOutputStream file = fs.create(new Path("rados://meta/f"), true)) {
        file.write(new byte[100]);
      }
    }
    fs.close();
    Set<String> before = cluster.objects("meta", "").keySet();
    for (String verb : List.of("gc", "fsck", "format")) {
      assertThat(run(verb, "rados://meta/tmp")).isEqualTo(2);
      assertThat(err.toString())
          .contains("rados://meta/tmp: " + verb + " works on a whole file system, rados://meta/");
    }
    assertThat(run("gc", "--replaced-now", "rados://meta/tmp")).isEqualTo(2);
    assertThat(cluster.objects("meta", "").keySet()).isEqualTo(before);
  }

  @Test
  void fsckThatCannotLookHasAStatusOfItsOwn() {
    assertThat(run("fsck", "rados://nowhere/")).isEqualTo(3);
    assertThat(run("gc", "rados://nowhere/")).isEqualTo(1);
  }
}
