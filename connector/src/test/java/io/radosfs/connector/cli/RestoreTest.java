// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs restore}. What it does step by step is tested with {@code Restoration}. */
class RestoreTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("lake").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  @BeforeEach
  void overwriteATable() throws IOException {
    for (String content : List.of("first", "second", "third")) {
      write("rados://lake/t/p=1/f", content);
    }
    write("rados://lake/t/g", "old g");
    write("rados://lake/t/g", "g");
    write("rados://lake/other", "x");
    write("rados://lake/other", "y");
  }

  private void write(String uri, String content) throws IOException {
    write(uri, content, conf);
  }

  private static void write(String uri, String content, Configuration conf) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri), conf);
        FSDataOutputStream out = fs.create(new Path(uri), true)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private Ran run(String... args) {
    return Ran.of(conf, args);
  }

  private String cat(String uri) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri), conf);
        FSDataInputStream in = fs.open(new Path(uri))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aTableIsRestored() throws IOException {
    Ran ran = run("restore", "rados://lake/t", "--to", "rados://lake/rescued/t");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("RESTORED", "6 B  rados://lake/rescued/t/p=1/f", "5 B  rados://lake/rescued/t/g")
        .contains("2 restored, 0 failed, 1 replaced earlier were left out");
    assertThat(cat("rados://lake/rescued/t/p=1/f")).isEqualTo("second");
    assertThat(cat("rados://lake/rescued/t/g")).isEqualTo("old g");
    assertThat(cat("rados://lake/t/p=1/f")).isEqualTo("third");
    assertThat(run("gc", "--replaced-now", "rados://lake/").status()).isZero();
    assertThat(cat("rados://lake/rescued/t/p=1/f")).isEqualTo("second");
    assertThat(run("fsck", "--data", "rados://lake/").out()).contains("5 files: 0 wrong");
    Ran again = run("restore", "rados://lake/t", "--to", "rados://lake/rescued/t");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("no data of replaced files is kept of rados://lake/t");
  }

  /** An overwrite may be finished long after its job, by another client. */
  @Test
  void pathsThatWereReplacedEarlierAreTold() throws IOException {
    Configuration later = new Configuration(conf);
    later.set(Options.REPLACED_RETENTION.key(), "1h");
    write("rados://lake/t/g", "newer g", later);

    assertThat(run("restore", "-n", "rados://lake/t", "--to", "rados://lake/r").out())
        .contains("1 would be restored; nothing was changed, 0 failed, 3 replaced earlier")
        .contains("paths of which nothing is restored: 1.", "--within");
    assertThat(run("restore", "-n", "--json", "rados://lake/t", "--to", "rados://lake/r").objects())
        .last()
        .satisfies(told -> assertThat(told.get("pathsLeftOut").asInt()).isEqualTo(1));
    Ran whole = run("restore", "rados://lake/t", "--to", "rados://lake/r", "--within", "2h");
    assertThat(whole.out())
        .as(whole.err())
        .contains("2 restored, 0 failed, 2 replaced earlier were left out: see --list");
    assertThat(cat("rados://lake/r/p=1/f")).isEqualTo("second");
    assertThat(cat("rados://lake/r/g")).isEqualTo("g");
  }

  /** Of the files that it makes, no byte of data goes either way. A copy of one is seen to. */
  @Test
  void noDataIsMoved() throws IOException {
    int before = cluster.log().size();
    Ran ran = run("restore", "rados://lake/t", "--to", "rados://lake/rescued/t");
    assertThat(ran.out()).as(ran.err()).contains("2 restored, 0 failed");
    assertThat(DataMoved.since(cluster, before)).isEqualTo(DataMoved.NOTHING);
    before = cluster.log().size();
    write("rados://lake/copy", cat("rados://lake/rescued/t/p=1/f"));
    DataMoved copied = DataMoved.since(cluster, before);
    assertThat(copied.written()).isEqualTo("second".length());
    assertThat(copied.read()).isGreaterThanOrEqualTo("second".length());
  }

  @Test
  void whatIsKeptIsListedAndAnEarlierStateIsRestored() throws IOException {
    Ran ran = run("restore", "--list", "--json", "rados://lake/t/p=1");
    assertThat(ran.status()).as(ran.err()).isZero();
    List<JsonNode> kept = ran.objects();
    assertThat(kept)
        .extracting(one -> one.get("path").asText() + " " + one.get("length").asInt())
        .containsExactly("/t/p=1/f 6", "/t/p=1/f 5");
    assertThat(run("restore", "--list", "rados://lake/t").out())
        .containsPattern("KEPT until \\S+Z +5 B  modified \\S+Z  rados://lake/t/g");
    String until = kept.get(1).get("keptUntil").asText();
    Ran restored =
        run("restore", "--until", until, "rados://lake/t/p=1/f", "--to", "rados://lake/r");
    assertThat(restored.status()).as(restored.err()).isZero();
    assertThat(cat("rados://lake/r/f")).isEqualTo("first");
  }

  @Test
  void aDryRunChangesNothing() {
    Ran dry = run("restore", "--dry-run", "rados://lake/", "--to", "rados://lake/r");
    assertThat(dry.out()).contains("RESTORABLE", "3 would be restored; nothing was changed");
    assertThat(run("ls", "rados://lake/r").status()).isEqualTo(1);
  }

  @Test
  void whatIsThereStaysAndTheOthersAreRestored() throws IOException {
    write("rados://lake/r/g", "theirs");
    Ran ran = run("restore", "--json", "rados://lake/t", "--to", "rados://lake/r");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("/t/g: ", "it exists");
    JsonNode summary = ran.objects().get(ran.objects().size() - 1);
    assertThat(summary.get("restored").asInt()).isEqualTo(1);
    assertThat(summary.get("failed").asInt()).isEqualTo(1);
    assertThat(cat("rados://lake/r/g")).isEqualTo("theirs");
    assertThat(cat("rados://lake/r/p=1/f")).isEqualTo("second");
  }

  private FaultPlan unreadable(Predicate<String> objects) {
    FaultPlan faults = cluster.client("client.admin").faults();
    return faults.always(
        op -> !op.write() && objects.test(op.object()), Fault.failWith(StoreException.Kind.OTHER));
  }

  /** As much as can be; then the rest, once it can be read. */
  @Test
  void whatCannotBeReadIsToldAndTheOthersAreRestored() throws IOException {
    FaultPlan faults = unreadable("t/g"::equals);
    Ran ran = run("restore", "rados://lake/t", "--to", "rados://lake/r");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("/t/g: ", "'t/g'").doesNotContain("p=1");
    assertThat(ran.out()).contains("1 restored, 1 failed", "run it again");
    assertThat(cat("rados://lake/r/p=1/f")).isEqualTo("second");
    Ran listed = run("restore", "--list", "rados://lake/t");
    assertThat(listed.status()).isEqualTo(1);
    assertThat(listed.err()).contains("/t/g: ", "'t/g'");
    assertThat(listed.out()).contains("rados://lake/t/p=1/f").doesNotContain("rados://lake/t/g");
    faults.clear();
    assertThat(run("restore", "rados://lake/t/g", "--to", "rados://lake/r").status()).isZero();
    assertThat(cat("rados://lake/r/g")).isEqualTo("old g");
    assertThat(run("fsck", "--data", "rados://lake/").out()).contains("5 files: 0 wrong");
  }

  /** An earlier state of a file does not take the place of the one that cannot be read. */
  @Test
  void nothingEarlierIsRestoredForWhatCannotBeRead() throws IOException {
    FaultPlan faults = unreadable(object -> object.startsWith("t/p=1/f//~"));
    for (String option : List.of("--dry-run", "--json")) {
      Ran ran = run("restore", option, "rados://lake/t", "--to", "rados://lake/r");
      assertThat(ran.status()).isEqualTo(1);
      assertThat(ran.err()).contains("/t/p=1/f: ").doesNotContain("/t/g");
    }
    faults.clear();
    assertThat(cat("rados://lake/r/g")).isEqualTo("old g");
    assertThat(run("ls", "rados://lake/r/p=1/f").status()).isEqualTo(1);
    assertThat(run("restore", "rados://lake/t", "--to", "rados://lake/r").status()).isZero();
    assertThat(cat("rados://lake/r/p=1/f")).isEqualTo("second");
  }

  /** A key of the index, and a whole list. */
  @Test
  void whatStandsBesideSomethingDamagedIsRestored() throws IOException {
    ObjectStore vandal = cluster.client("vandal").open("lake", "");
    byte[] garbage = "garbage".getBytes(StandardCharsets.UTF_8);
    vandal.write("t/", WriteOp.builder().setOmap("x/damaged", garbage).build());
    vandal.write("t/p=1/", WriteOp.builder().setOmap("e/damaged", garbage).build());
    Ran ran = run("restore", "rados://lake/t", "--to", "rados://lake/r");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("'x/damaged'", "'t/'", "e/damaged");
    assertThat(ran.err().lines().distinct().count()).isEqualTo(ran.err().lines().count());
    assertThat(ran.out()).contains("RESTORED", "2 restored");
    assertThat(cat("rados://lake/r/g")).isEqualTo("old g");
    assertThat(cat("rados://lake/r/p=1/f")).isEqualTo("second");
  }

  @Test
  void whereNothingCanBeReadThatIsSaid() {
    FaultPlan unused = unreadable(object -> object.startsWith("//replaced/"));
    Ran ran = run("restore", "rados://lake/t", "--to", "rados://lake/r");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("//replaced/0", "//replaced/f", "could not be read");
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    assertThat(run("restore", "rados://lake/t").status()).isEqualTo(2);
    Ran elsewhere = run("restore", "rados://lake/t", "--to", "rados://ec/t");
    assertThat(elsewhere.status()).isEqualTo(2);
    assertThat(elsewhere.err()).contains("not in the file system of");
    for (String option : List.of("--until", "--within")) {
      Ran ran = run("restore", option, "yesterday", "rados://lake/t", "--to", "rados://lake/r");
      assertThat(ran.status()).as(option).isEqualTo(2);
      assertThat(ran.err()).contains(option + " yesterday: a time");
    }
  }

  /** Its stripes have xattrs, which that pool has too. */
  @Test
  void dataOfAnotherPoolIsRestored() throws IOException {
    assertThat(run("format", "--data-pool", "ec", "rados://apart@lake/").status()).isZero();
    write("rados://apart@lake/t/f", "first");
    write("rados://apart@lake/t/f", "second");
    Ran ran = run("restore", "rados://apart@lake/t", "--to", "rados://apart@lake/r");
    assertThat(ran.out()).as(ran.err()).contains("1 restored");
    assertThat(cat("rados://apart@lake/r/f")).isEqualTo("first");
    assertThat(run("fsck", "--data", "rados://apart@lake/").out()).contains("2 files: 0 wrong");
  }
}
