// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ShellWords;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A check names what a transaction holds where it has no mark, and how to let go of it. */
class UnmarkedTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  @BeforeEach
  void aTree() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/d/f", "old");
    user.write("/e/other", "o");
    user.ledger().close();
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private PoolInspector.Result check() throws IOException {
    return mount("checker").check().run(false);
  }

  private void damage(String index, String key, byte[] value) throws IOException {
    mount("vandal")
        .store()
        .write(index, WriteOp.builder().assertExists().setOmap(key, value).build());
  }

  private void intent(String index, String name, WriteIntent intent) throws IOException {
    damage(index, IndexKeys.intent(name), intent.encode(path("/d/" + name)));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static WriteIntent adding(String transaction, String name) throws IOException {
    FileData data = new FileData(path("/d/" + name), Uid.random(), false, 3, 8, Optional.empty());
    return WriteIntent.add(transaction, new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES));
  }

  private static WriteIntent makingBoth() {
    Entry.OfDirectory made = new Entry.OfDirectory(Uid.random(), SimulatedMount.ATTRIBUTES);
    return WriteIntent.makeDirectory("gone", made).sharedWith("other");
  }

  private static void assertNamed(PoolInspector.Result result, String subject, String... parts) {
    assertThat(result.findings())
        .hasSize(1)
        .first()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Finding.Kind.UNMARKED);
              assertThat(finding.subject()).isEqualTo(subject);
              assertThat(finding.detail()).contains(parts);
            });
    assertThat(result.unchecked()).isEmpty();
  }

  @Test
  void anIntentIsNamed() throws IOException {
    Uid uid = mount("user").namespace().lookup(path("/d/f")).orElseThrow().uid();
    intent("d/", "f", WriteIntent.remove("gone", uid));
    assertNamed(
        check(),
        "/d/f",
        "'f' of directory /d",
        "'d/'",
        "'t/gone'",
        "rados -p " + SimulatedMount.POOL + " rmomapkey d/ p/f");
  }

  @Test
  void eachIntentIsNamed() throws IOException {
    Uid uid = mount("user").namespace().lookup(path("/d/f")).orElseThrow().uid();
    intent("d/", "f", WriteIntent.remove("gone", uid));
    intent("d/", "g", WriteIntent.remove("gone", uid));
    intent("d/", "h", WriteIntent.remove("gone too", uid));
    assertThat(check().findings())
        .extracting(Finding::subject)
        .containsExactlyInAnyOrder("/d/f", "/d/g", "/d/h");
  }

  /** Letting go of the one that has no mark leaves what the other one holds. */
  @Test
  void ofTwoThatMakeADirectoryTheOneIsNamed() throws IOException {
    mark("d/", "other");
    intent("d/", "sub", makingBoth());
    assertNamed(
        check(), "/d/sub", "'t/gone'", "setomapval d/ p/sub 'claim 1 MAKE_DIRECTORY other ");
  }

  private void mark(String index, String transaction) throws IOException {
    TransactionMark mark = TransactionMark.keeping(FsPath.ROOT);
    damage(index, IndexKeys.transaction(transaction), mark.encode());
  }

  @Test
  void aLockIsNamed() throws IOException {
    damage("d/", IndexKeys.HEAD, IndexHead.frozen("gone").encode());
    assertNamed(check(), "/d", "directory /d is locked", "'t/gone'", "setomapval d/ h 'rados");
  }

  /** Run without its namespace, the command would change the index of another file system. */
  @Test
  void theCommandIsForTheNamespaceAndForAShell() throws IOException {
    ObjectStore teams = cluster.client("team").open(SimulatedMount.POOL, "team");
    SimulatedMount team = SimulatedMount.of(cluster.client("team"), teams);
    team.mkdirs("/it's/below");
    byte[] locked = IndexHead.frozen("gone").encode();
    teams.write("it's/", WriteOp.builder().assertExists().setOmap(IndexKeys.HEAD, locked).build());
    String detail = team.check().run(false).findings().iterator().next().detail();
    assertThat(ShellWords.of(detail.substring(detail.indexOf("rados -p"))))
        .isEqualTo(
            List.of(
                "rados",
                "-p",
                SimulatedMount.POOL,
                "-N",
                "team",
                "setomapval",
                "it's/",
                IndexKeys.HEAD,
                new String(IndexHead.OPEN.encode(), StandardCharsets.UTF_8)));
  }

  @Test
  void anIntentInAShardIsNamed() throws IOException {
    SimulatedMount sharding = SimulatedMount.of(cluster.client("user"), new Sharding(1, 2));
    sharding.write("/d/g", "g");
    sharding.write("/d/h", "h");
    sharding.ledger().close();
    String shard =
        cluster.objects(SimulatedMount.POOL, "").keySet().stream()
            .filter(name -> name.startsWith("d//shard/"))
            .findFirst()
            .orElseThrow();
    intent(shard, "new", adding("gone", "new"));
    assertNamed(check(), "/d/new", "'" + shard + "'", "'t/gone'");
  }

  /** Dies with intents on both names, and a mark for each. */
  private void diesRenaming(String from, String to) throws IOException {
    SimulatedClient dying = cluster.client("dying");
    SimulatedMount mount = SimulatedMount.of(dying);
    dying.faults().once(op -> op.write() && op.summary().contains("e/moved"), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> mount.namespace().rename(path(from), path(to), false))
        .isInstanceOf(ClientCrashed.class);
    assertThat(keys("d/")).anyMatch(key -> key.startsWith("t/"));
  }

  private Set<String> keys(String index) {
    return cluster.objects(SimulatedMount.POOL, "").get(index).omap().keySet();
  }

  /** Of what is under way nothing is named, and nothing read again. */
  @Test
  void nothingIsReadWhereEachHasItsMark() throws IOException {
    diesRenaming("/d/f", "/e/moved");
    assertThat(keys("d/")).contains("p/f");
    SimulatedClient checker = cluster.client("checker");
    checker
        .faults()
        .always(op -> op.object().equals("d/") && op.summary().contains("p/f"), Fault.CRASH_BEFORE);
    assertThat(SimulatedMount.of(checker).check().run(false).findings()).isEmpty();
  }

  /** Between the page with the intent and the one with the mark both may go. */
  @Test
  void whatIsResolvedBetweenTwoReadsIsNotNamed() throws IOException {
    diesRenaming("/d/f", "/e/moved");
    Map<String, byte[]> more = new HashMap<>();
    for (int k = 0; keys("d/").size() + more.size() <= ReadOp.MAX_RANGE; k++) {
      FsPath name = path("/d/" + k);
      Entry made = new Entry.OfDirectory(Uid.random(), SimulatedMount.ATTRIBUTES);
      more.put(IndexKeys.entry(name.name()), EntryCodec.encode(name, made));
    }
    mount("vandal").store().write("d/", WriteOp.builder().assertExists().setOmap(more).build());
    SimulatedMount other = mount("other");
    SimulatedClient checker = cluster.client("checker");
    checker
        .faults()
        .before(
            op -> {
              if (op.object().equals("d/") && op.summary().contains("after 'p/f'")) {
                resolve(other);
              }
            });
    StorePoolView view = new StorePoolView(checker.open(SimulatedMount.POOL, ""));
    PoolInspector inspector = new PoolInspector(pools(view), false);
    assertThat(inspector.inspect(List.of(view)).findings()).isEmpty();
    assertThat(keys("d/")).noneMatch(key -> key.startsWith("t/"));
  }

  private static void resolve(SimulatedMount other) {
    try {
      other.sweep();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PoolView.Pools pools(PoolView view) {
    return new PoolView.Pools() {
      @Override
      public PoolView index() {
        return view;
      }

      @Override
      public PoolView of(FileData file) {
        return view;
      }
    };
  }
}
