// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What cannot be read, or is not answered for, is one finding of a collection; the rest is
 * collected, but nothing on the word of what could not be read.
 */
@Execution(ExecutionMode.CONCURRENT)
class DamageTest {

  private static final String LONG = "more than one stripe of it";
  private static final String NO_ENTRY = "entry of a later version";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void aTree() throws IOException {
    SimulatedMount user = mount("user");
    for (String directory : List.of("/a", "/b", "/c")) {
      user.mkdirs(directory + "/below");
      user.write(directory + "/f", LONG);
    }
    user.ledger().close();
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  /** A process that dies when it is about to publish a file. */
  private void diesWriting(String client, String path) throws IOException {
    SimulatedClient dying = cluster.client(client);
    String key = "e/" + FsPath.parse(path).name();
    String index = ObjectNames.index(FsPath.parse(path).parent());
    SimulatedMount mount = SimulatedMount.of(dying);
    dying
        .faults()
        .once(
            op -> op.write() && op.object().equals(index) && op.summary().contains(key),
            Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> mount.write(path, LONG)).isInstanceOf(ClientCrashed.class);
  }

  private void set(String object, String key, String value) throws IOException {
    cluster
        .client("vandal")
        .open(SimulatedMount.POOL, "")
        .write(
            object,
            WriteOp.builder()
                .createIfMissing()
                .setOmap(key, value.getBytes(StandardCharsets.UTF_8))
                .build());
  }

  private CollectionLog collect() throws IOException {
    return collect("janitor");
  }

  private CollectionLog collect(String client) throws IOException {
    CollectionLog log = new CollectionLog(event -> said.add(event.toString()));
    mount(client).collect(log);
    return log;
  }

  private boolean isThere(String object) {
    return cluster.objects(SimulatedMount.POOL, "").keySet().stream()
        .anyMatch(name -> name.equals(object) || name.startsWith(object + "//"));
  }

  /** That is being written, and has more than one stripe. */
  @ParameterizedTest
  @ValueSource(strings = {"plain", "two\nlines", "two\u2028lines"})
  void aFileOfAnyNameIsNoDamage(String name) throws IOException {
    SimulatedMount writer = mount("writer");
    FsPath path = FsPath.parse("/a").child(name);
    try (StripedOutputStream out =
        writer.write(
            path, writer.namespace().create(path, false, false, SimulatedMount.ATTRIBUTES))) {
      out.write(new byte[100_000]);
      assertThat(isThere("a/" + name)).isTrue();
      assertThat(mount("checker").check().run(true).findings()).isEmpty();
    }
    assertThat(mount("checker").check().run(true).findings()).isEmpty();
  }

  @Test
  void aLineOfALedgerThatCannotBeReadStays() throws IOException {
    diesWriting("one", "/a/lost");
    diesWriting("two", "/b/lost");
    String ledger =
        cluster.objects(SimulatedMount.POOL, "").keySet().stream()
            .filter(name -> name.startsWith("//ledger/"))
            .findFirst()
            .orElseThrow();
    set(ledger, "f/0123456789abcdef01234567", "painting 9");
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(1);
    assertThat(said).anyMatch(line -> line.contains(ledger) && line.contains("painting 9"));
    assertThat(isThere("a/lost")).isFalse();
    assertThat(isThere("b/lost")).isFalse();
    assertThat(cluster.objects(SimulatedMount.POOL, "").get(ledger).omap())
        .containsKey("f/0123456789abcdef01234567");
  }

  @Test
  void aLedgerThatCannotBeReadKeepsNoOtherFromCollection() throws IOException {
    diesWriting("one", "/a/lost");
    set("//ledger/0123456789abcdef01234567", "s", "open 9");
    set("//ledgers", "0123456789abcdef01234567", "//ledger/0123456789abcdef01234567");
    set("//ledgers", "job/a//job/j", "decision 9");
    set("//ledgers", "aaaaaaaaaaaaaaaaaaaaaaaa", "a/");
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(2);
    assertThat(isThere("a/lost")).isFalse();
    assertThat(isThere("a/")).isTrue();
  }

  @Test
  void anEntryThatCannotBeReadKeepsNoOtherDirectoryFromTheSweep() throws IOException {
    set("a/", "e/bad", NO_ENTRY);
    set("a/", "x/0123456789abcdef01234567", "what is this");
    listForDeletion("/a/f");
    listForDeletion("/c/f");
    leaveInX("/a/below/x");
    CollectionLog log = collect();
    assertThat(log.kept()).isGreaterThanOrEqualTo(2);
    assertThat(said).anyMatch(line -> line.contains("e/bad"));
    assertThat(said).anyMatch(line -> line.contains("what is this"));
    assertThat(isThere("a/f")).isFalse();
    assertThat(isThere("c/f")).isFalse();
    assertThat(isThere("a/below/x")).isFalse();
    assertThat(isThere("b/f")).isTrue();
  }

  /** Another program has spoilt one entry of a directory that is being deleted. */
  @Test
  void anEntryThatCannotBeReadKeepsNoOtherFileOfADeletedDirectory() throws IOException {
    mount("user").write("/c/g", LONG);
    SimulatedClient dying = cluster.client("dies");
    SimulatedMount mount = SimulatedMount.of(dying);
    dying
        .faults()
        .once(
            op -> op.write() && op.object().equals("/") && op.summary().contains("e/c"),
            Fault.CRASH_AFTER);
    assertThatThrownBy(() -> mount.namespace().delete(FsPath.parse("/c"), true))
        .isInstanceOf(ClientCrashed.class);
    set("c/", "e/bad", NO_ENTRY);
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(1);
    assertThat(said).anyMatch(line -> line.contains("bad"));
    assertThat(isThere("c/f")).isFalse();
    assertThat(isThere("c/g")).isFalse();
    assertThat(isThere("c/")).as("leads to what the entry may mean").isTrue();
  }

  /** Renames that their clients have left, beside a status record that nobody understands. */
  @Test
  void aStatusRecordThatCannotBeReadKeepsNoRenameFromItsEnd() throws IOException {
    SimulatedClient dying = cluster.client("dies");
    SimulatedMount mount = SimulatedMount.of(dying);
    dying
        .faults()
        .once(
            op -> op.write() && op.object().equals("b/") && op.summary().contains("e/moved="),
            Fault.CRASH_BEFORE);
    assertThatThrownBy(
            () -> mount.namespace().rename(FsPath.parse("/a/f"), FsPath.parse("/b/moved"), false))
        .isInstanceOf(ClientCrashed.class);
    set("b/", "j/000000000000000000000000", "decision 9");
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(1);
    assertThat(said).anyMatch(line -> line.contains("000000000000000000000000"));
    assertThat(cluster.objects(SimulatedMount.POOL, "").get("a/").omap().keySet())
        .as("the old name is free again")
        .noneMatch(key -> key.startsWith("p/") || key.startsWith("t/"));
  }

  private void leaveInX(String path) throws IOException {
    SimulatedMount user = mount("user");
    user.write(path, LONG);
    user.ledger().close();
    listForDeletion(path);
  }

  /** Deleted by one that dies before the data goes. */
  private void listForDeletion(String path) throws IOException {
    SimulatedClient dying = cluster.client("deletes " + path);
    SimulatedMount mount = SimulatedMount.of(dying);
    dying
        .faults()
        .once(
            op ->
                op.write()
                    && op.object().startsWith(path.substring(1))
                    && !op.object().endsWith("/"),
            Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> mount.namespace().delete(FsPath.parse(path), false))
        .isInstanceOf(ClientCrashed.class);
  }

  /** A renamed file of a dead process may be what cannot be read. */
  @Test
  void whatCannotBeReadMayBeTheFileThatIsLookedFor() throws IOException {
    SimulatedMount dead = mount("dead");
    dead.write("/a/g", LONG);
    dead.namespace().rename(FsPath.parse("/a/g"), FsPath.parse("/b/g"), false);
    set("b/", "e/g", NO_ENTRY);
    CollectionLog log = collect();
    assertThat(log.kept()).isGreaterThanOrEqualTo(2);
    assertThat(isThere("a/g")).isTrue();
    assertThat(said).anyMatch(line -> line.contains("kept: /a/g"));
  }

  @Test
  void whatSaysThatItIsAnotherFileIsNoHindrance() throws IOException {
    diesWriting("one", "/a/lost");
    set("b/", "e/g", "file 7 uid=0123456789abcdef01234567 whatever");
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(1);
    assertThat(isThere("a/lost")).isFalse();
  }

  @Test
  void aDirectoryThatIsNotAnsweredForIsOneFinding() throws IOException {
    listForDeletion("/a/f");
    listForDeletion("/c/f");
    cluster
        .client("janitor")
        .faults()
        .always(op -> !op.write() && op.object().equals("b/"), Fault.LOSE_REQUEST);
    CollectionLog log = collect();
    assertThat(log.kept()).isEqualTo(1);
    assertThat(isThere("a/f")).isFalse();
    assertThat(isThere("c/f")).isFalse();
  }

  @Test
  void whatIsNotAnsweredForMayHaveTheFileThatIsLookedFor() throws IOException {
    SimulatedMount dead = mount("dead");
    dead.write("/a/g", LONG);
    dead.namespace().rename(FsPath.parse("/a/g"), FsPath.parse("/b/g"), false);
    cluster
        .client("janitor")
        .faults()
        .always(op -> !op.write() && op.object().equals("b/"), Fault.LOSE_REQUEST);
    assertThat(collect().kept()).isGreaterThanOrEqualTo(2);
    assertThat(isThere("a/g")).isTrue();
    assertThat(collect("another").kept()).isZero();
    assertThat(isThere("a/g")).isTrue();
  }

  /** The same with the directory that the file would have appeared in: it cannot be fenced. */
  @Test
  void whereADirectoryCannotBeFencedNothingOfItIsRemoved() throws IOException {
    diesWriting("one", "/a/lost");
    diesWriting("two", "/b/lost");
    cluster
        .client("janitor")
        .faults()
        .always(
            op -> op.write() && op.object().equals("b/"),
            Fault.failWith(StoreException.Kind.OTHER));
    assertThat(collect().kept()).isGreaterThanOrEqualTo(1);
    assertThat(isThere("a/lost")).isFalse();
    assertThat(isThere("b/lost")).isTrue();
    assertThat(collect("another").kept()).isZero();
    assertThat(isThere("b/lost")).isFalse();
  }

  /** All below it is intact, and would be found again if this one entry were mended. */
  @Test
  void nothingBelowWhatCannotBeReadIsCalledALeak() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/a/below/x", LONG);
    user.ledger().close();
    set("a/", "e/below", NO_ENTRY);
    assertUnreadableWithoutLeak("key 'e/below' of 'a/'");
  }

  @Test
  void noShardOfAHeadThatCannotBeReadIsCalledALeak() throws IOException {
    SimulatedMount sharding = SimulatedMount.of(cluster.client("user"), new Sharding(1, 2));
    sharding.write("/a/g", LONG);
    sharding.write("/a/h", LONG);
    sharding.ledger().close();
    assertThat(isThere("a/")).isTrue();
    set("a/", "h", "radosfs-index 9 of the future");
    assertUnreadableWithoutLeak("a/");
  }

  private void assertUnreadableWithoutLeak(String told) throws IOException {
    PoolInspector.Result result = mount("checker").check().run(false);
    assertThat(result.findings())
        .extracting(Finding::kind, Finding::subject)
        .containsExactly(tuple(Finding.Kind.UNREADABLE, "a/"));
    assertThat(result.unchecked())
        .hasSize(1)
        .allMatch(
            line -> line.contains("what cannot be read may lead to any of them, such as " + told));
  }

  /** What is led to by something else is none of those, and nothing is unchecked then. */
  @Test
  void whatCannotBeReadIsNoDoubtWhereNothingSeemsToLeak() throws IOException {
    set("a/", "e/bad", NO_ENTRY);
    PoolInspector.Result result = mount("checker").check().run(false);
    assertThat(result.findings()).hasSize(1);
    assertThat(result.unchecked()).isEmpty();
  }

  /** As one of a rename to the root, which has no directory above. */
  @Test
  void aRegistrationThatNamesNoPathIsNamed() throws IOException {
    byte[] status = new TransactionStatus(TransactionStatus.State.PENDING, "rename a//").encode();
    set("c/", "j/000000000000000000000000", new String(status, StandardCharsets.UTF_8));
    SimulatedMount user = mount("user");
    assertThatThrownBy(
            () -> user.namespace().rename(FsPath.parse("/c"), FsPath.parse("/a/c"), false))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("'j/000000000000000000000000' of RADOS object 'c/'");
  }

  /** Nor does a check of the whole pool end there, or count to two thousand million. */
  @Test
  void aCheckTellsOfAllThatCannotBeRead() throws IOException {
    set("a/", "e/bad", NO_ENTRY);
    set(
        "b/",
        "e/madeup",
        "file 1 length=2147483647 mtime=1 uid=0123456789abcdef01234567 mode=644 owner=o group=g"
            + " stripe=1 crc32c=0");
    set("c/", "j/t", "decision 1 state=PENDING owner=removal+..");
    set("//ledgers", "job/a//job/j", "decision 9");
    set("//ledgers", "0123456789abcdef01234567", "//ledger/0123456789abcdef01234567");
    set("//ledger/0123456789abcdef01234567", "s", "open 1");
    set("//ledger/0123456789abcdef01234567", "r", "5");
    set("//ledger/0123456789abcdef01234567", "f/k", "painting 9");
    PoolInspector.Result result = mount("checker").check().run(false);
    assertThat(result.findings())
        .extracting(Finding::kind, Finding::subject)
        .containsExactlyInAnyOrder(
            tuple(Finding.Kind.UNREADABLE, "a/"),
            tuple(Finding.Kind.MISSING, "/b/madeup"),
            tuple(Finding.Kind.UNREADABLE, "c/"),
            tuple(Finding.Kind.UNREADABLE, "//ledgers"),
            tuple(Finding.Kind.UNREADABLE, "//ledger/0123456789abcdef01234567"));
  }
}
