// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedClient.Access;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SuperblocksTest {

  private static final Superblock PLAIN = new Superblock(Optional.empty(), 4 << 20, 1);
  private static final Superblock BEHIND = new Superblock(Optional.of("ec"), 1 << 20, 2);

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("p").addErasureCodedPool("ec");
  private final SimulatedClient client = cluster.client("c");

  private Superblocks in(String pool) throws IOException {
    ObjectStore store = client.open(pool, "");
    return new Superblocks(store, "rados://" + pool);
  }

  @Test
  void theFirstMakesItAndTheOthersRead() throws IOException {
    assertThat(in("p").find()).isEmpty();
    assertThat(in("p").findOrMake(BEHIND)).isEqualTo(BEHIND);
    int ops = client.ops();
    assertThat(in("p").findOrMake(PLAIN)).isEqualTo(BEHIND);
    assertThat(client.ops() - ops).as("operations to open").isEqualTo(1);
    assertThat(in("p").find()).contains(BEHIND);
  }

  @Test
  void namespacesHaveTheirOwn() throws IOException {
    in("p").findOrMake(PLAIN);
    Superblocks other = new Superblocks(client.open("p", "n"), "rados://n@p");
    assertThat(other.find()).isEmpty();
    assertThat(other.format(BEHIND)).isEqualTo(BEHIND);
  }

  @Test
  void formattingTwiceIsRefused() throws IOException {
    in("p").format(PLAIN);
    assertThatThrownBy(() -> in("p").format(PLAIN))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("rados://p is formatted already")
        .hasMessageContaining("object size 4194304");
  }

  @Test
  void aReaderNeedsNoWrite() throws IOException {
    in("p").findOrMake(PLAIN);
    client.setAccess("p", Access.READ_ONLY);
    assertThat(in("p").findOrMake(BEHIND)).isEqualTo(PLAIN);
  }

  @Test
  void deniedOnFirstUse() {
    client.setAccess("p", Access.READ_ONLY);
    assertThatThrownBy(() -> in("p").findOrMake(PLAIN))
        .isInstanceOf(StoreException.class)
        .matches(e -> ((StoreException) e).is(StoreException.Kind.PERMISSION_DENIED));
  }

  @Test
  void anErasureCodedPoolHoldsNoIndex() {
    assertThatThrownBy(() -> in("ec").findOrMake(PLAIN))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("radosfs format --data-pool ec rados://<replicated pool>");
    assertThat(cluster.objects("ec", "")).isEmpty();
  }

  @Test
  void otherVersionsAndDamageAreRefused() throws IOException {
    write(Map.of("layout.version", "2", "object.size", "1"));
    assertThatThrownBy(() -> in("p").findOrMake(PLAIN))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("rados://p has layout version '2', and this radosfs reads version 1");
    write(Map.of("layout.version", "1", "object.size", "big"));
    assertThatThrownBy(() -> in("p").find())
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("object.size is 'big'");
    client.open("p", "").write(ObjectNames.SUPERBLOCK, WriteOp.builder().remove().build());
    write(Map.of("something", "else"));
    assertThatThrownBy(() -> in("p").find())
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("it has no key layout.version");
  }

  private void write(Map<String, String> omap) throws IOException {
    WriteOp.Builder op = WriteOp.builder();
    omap.forEach((key, value) -> op.setOmap(key, value.getBytes(StandardCharsets.UTF_8)));
    client.open("p", "").write(ObjectNames.SUPERBLOCK, op.build());
  }

  /** Nobody answers it in all its time; each further try might take as long again. */
  @Test
  void aCreationThatHasWaitedInFullIsNotRepeated() throws IOException {
    AtomicInteger writes = new AtomicInteger();
    ObjectStore deaf =
        new ForwardingObjectStore(client.open("p", "")) {
          @Override
          public void write(String object, WriteOp op) throws IOException {
            writes.incrementAndGet();
            throw new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, object, "no answer")
                .afterWaitingInFull();
          }
        };
    assertThatThrownBy(() -> new Superblocks(deaf, "rados://p").findOrMake(PLAIN))
        .hasMessageContaining("no answer");
    assertThat(writes).hasValue(1);
  }
}
