// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A change takes something away, and its answer is lost. Before its client looks what became of it,
 * another client finds it taken away, and brings it back, or makes it anew. That is the other's: no
 * change takes effect twice.
 */
class TakenAwayTwiceTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /**
   * Makes a change, and loses the answer of the first such write. Others do something before the
   * next operation, and something more before the one after that.
   *
   * @return what the change has failed with
   */
  private Optional<IOException> change(Step change, Predicate<OpInfo> lost, Step... meanwhile)
      throws IOException {
    return change(change, lost, Fault.LOSE_ANSWER, meanwhile);
  }

  private Optional<IOException> change(
      Step change, Predicate<OpInfo> lost, Fault fault, Step... meanwhile) throws IOException {
    SimulatedClient client = cluster.client("a");
    SimulatedMount mount = SimulatedMount.of(client);
    int[] since = {-1};
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (since[0] >= 0 && since[0] < meanwhile.length) {
                    meanwhile[since[0]++].on(mount("other"));
                  }
                })
            .once(
                op -> {
                  boolean here = op.write() && lost.test(op);
                  if (here) {
                    since[0] = 0;
                  }
                  return here;
                },
                fault);
    Optional<IOException> failure = Optional.empty();
    try {
      change.on(mount);
    } catch (IOException e) {
      failure = Optional.of(e);
    }
    assertThat(since[0]).isEqualTo(meanwhile.length);
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
    return failure;
  }

  private void rename(SimulatedMount mount, String from, String to) throws IOException {
    mount.namespace().rename(path(from), path(to), false);
  }

  @Test
  void aFileThatIsRenamedBack() throws IOException {
    mount("user").write("/d/f", "content");
    Optional<IOException> failure =
        change(
            mount -> rename(mount, "/d/f", "/d/g"),
            op -> op.object().equals("d/"),
            other -> rename(other, "/d/g", "/d/f"));
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/f", "content"));
  }

  @Test
  void aDirectoryThatIsRenamedBack() throws IOException {
    mount("user").write("/p/t/f", "content");
    Optional<IOException> failure =
        change(
            mount -> rename(mount, "/p/t", "/p/u"),
            op -> op.object().equals("p/") && op.summary().contains("compareOmap(j/"),
            other -> {
              rename(other, "/p/u", "/p/t");
              other.sweep();
            });
    assertThat(mount("reader").tree())
        .isEqualTo(Map.of("/p/", "", "/p/t/", "", "/p/t/f", "content"));
  }

  private static int permission(SimulatedMount mount) throws IOException {
    return mount.namespace().lookup(path("/d/f")).orElseThrow().attributes().permission();
  }

  @Test
  void permissionsThatAreSetBack() throws IOException {
    mount("user").write("/d/f", "content");
    int before = permission(mount("user"));
    Optional<IOException> failure =
        change(
            mount -> mount.namespace().setAttributes(path("/d/f"), was -> was.withPermission(0700)),
            op -> op.object().equals("d/"),
            other -> {
              assertThat(permission(other)).isEqualTo(0700);
              other.namespace().setAttributes(path("/d/f"), was -> was.withPermission(before));
            });
    assertThat(permission(mount("reader"))).isEqualTo(before);
  }

  /** The other client has seen that it is gone, and writes to a directory of its own. */
  @Test
  void aDirectoryThatIsMadeAnew() throws IOException {
    mount("user").write("/d/old", "old");
    Optional<IOException> failure =
        change(
            mount -> mount.namespace().delete(path("/d"), true),
            op -> op.object().equals("d/"),
            other -> {
              assertThat(other.namespace().lookup(path("/d/old"))).isEmpty();
              other.write("/d/new", "new");
            });
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/new", "new"));
  }

  @Test
  void anEmptyDirectoryThatIsMadeAnew() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/d/old", "old");
    user.namespace().delete(path("/d/old"), false);
    Optional<IOException> failure =
        change(
            mount -> assertThat(mount.namespace().delete(path("/d"), false)).isTrue(),
            op -> op.object().equals("d/"),
            other -> {
              other.sweep();
              assertThat(other.namespace().lookup(path("/d"))).isEmpty();
              other.write("/d/new", "new");
            });
    assertThat(failure).isEmpty();
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/new", "new"));
  }

  /** Its client looks while there is no such directory, and again when there is another one. */
  @Test
  void aDirectoryThatIsMadeAnewWithOthersInIt() throws IOException {
    mount("user").write("/d/old", "old");
    Optional<IOException> failure =
        change(
            mount -> assertThat(mount.namespace().delete(path("/d"), true)).isTrue(),
            op -> op.object().equals("d/"),
            other -> {
              other.sweep();
              assertThat(other.namespace().lookup(path("/d"))).isEmpty();
            },
            other -> other.write("/d/s/new", "new"));
    assertThat(failure).isEmpty();
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/s/", "", "/d/s/new", "new"));
  }

  @Test
  void aFileOfManyThatIsWrittenAnew() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/d/f", "old");
    user.write("/d/g", "old");
    Optional<IOException> failure =
        change(
            mount -> {
              Map<FsPath, IOException> failures =
                  mount.namespace().deleteAll(List.of(path("/d/f"), path("/d/g")));
              assertThat(failures).isEmpty();
            },
            op -> op.object().equals("d/"),
            other -> other.write("/d/f", "new", false));
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/f", "new"));
  }

  /** Those of one shard are deleted, and those of the other cannot be at once. */
  @Test
  void aFileOfManyInShardsThatIsWrittenAnew() throws IOException {
    SimulatedMount user = SimulatedMount.of(cluster.client("user"), new Sharding(2, 2));
    List<FsPath> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add(path("/d/f" + i));
      user.write("/d/f" + i, "old");
    }
    assertThat(user.shards("/d")).isEqualTo(2);
    List<String> anew = new ArrayList<>();
    Set<String> shards = new HashSet<>();
    Optional<IOException> failure =
        change(
            mount -> assertThat(mount.namespace().deleteAll(files)).isEmpty(),
            op ->
                op.summary().contains("compareOmap(e/")
                    && shards.add(op.object())
                    && shards.size() == 2,
            Fault.failWith(Kind.OTHER),
            other -> {
              for (FsPath file : files) {
                if (anew.isEmpty() && other.namespace().lookup(file).isEmpty()) {
                  anew.add(file.toString());
                  other.write(file.toString(), "new", false);
                }
              }
            });
    assertThat(failure).isEmpty();
    assertThat(anew).hasSize(1);
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", anew.get(0), "new"));
  }

  /** Files that others make tell nothing of it, and do not leave it open either. */
  @Test
  void whatHadNoEffectIsStillRepeated() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/d/e", "content");
    rename(user, "/d/e", "/d/f");
    Optional<IOException> failure =
        change(
            mount -> rename(mount, "/d/f", "/d/g"),
            op -> op.object().equals("d/"),
            Fault.LOSE_REQUEST,
            other -> other.write("/d/other", "o"));
    assertThat(failure).isEmpty();
    assertThat(mount("reader").tree())
        .isEqualTo(Map.of("/d/", "", "/d/g", "content", "/d/other", "o"));
  }
}
