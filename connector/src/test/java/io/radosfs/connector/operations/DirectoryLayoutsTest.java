// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Layouts by directory: who takes them over, who keeps what, what they cost. */
class DirectoryLayoutsTest {

  private static final DataLayout EC = new DataLayout(Optional.of("ec"), Optional.of(4));
  private static final DataLayout HOT = new DataLayout(Optional.of("hot"), Optional.empty());

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedMount.POOL, "hot").addErasureCodedPool("ec");
  private final SimulatedClient client = cluster.client("a");
  private SimulatedMount mount;

  @BeforeEach
  void mount() throws IOException {
    mount = SimulatedMount.of(client);
  }

  @AfterEach
  void nothingLeaks() throws IOException {
    PoolChecker.check(cluster, SimulatedMount.POOL, "hot", "ec");
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private void set(String directory, DataLayout layout) throws IOException {
    assertThat(mount.layouts().change(path(directory), before -> layout)).isEqualTo(layout);
  }

  private DataLayout layout(String directory) throws IOException {
    return mount.layouts().of(path(directory));
  }

  private FileData file(String file) throws IOException {
    return ((Entry.OfFile) mount.namespace().lookup(path(file)).orElseThrow()).data();
  }

  private void rename(String source, String destination) throws IOException {
    mount.namespace().rename(path(source), path(destination), false);
  }

  @Test
  void newFilesAndDirectoriesTakeItOver() throws IOException {
    mount.write("/d/old", "old");
    mount.mkdirs("/d/before");
    set("/d", EC);
    mount.write("/d/new", "nine char");
    mount.mkdirs("/d/s/t");
    mount.write("/d/u/v/w", "w");
    assertThat(file("/d/old").pool()).isEmpty();
    assertThat(file("/d/new").pool()).contains("ec");
    assertThat(file("/d/new").objectSize()).isEqualTo(4);
    assertThat(file("/d/u/v/w").pool()).contains("ec");
    assertThat(layout("/d/before")).isEqualTo(DataLayout.DEFAULT);
    assertThat(layout("/d/s/t")).isEqualTo(EC);
    assertThat(layout("/d/u/v")).isEqualTo(EC);
    assertThat(layout("/")).isEqualTo(DataLayout.DEFAULT);
    mount.write("/d/s/t/x", "x");
    assertThat(file("/d/s/t/x").pool()).contains("ec");
    assertThat(layout("/d/s/t")).isEqualTo(EC);
    assertThat(mount.read(path("/d/new"))).isEqualTo("nine char");
    assertThat(mount.read(path("/d/old"))).isEqualTo("old");
    assertThat(cluster.objects("ec", "").keySet())
        .contains("//data-of/meta", "d/new", "d/u/v/w", "d/s/t/x")
        .hasSize(6);

    // Overwriting and deleting work in the pool that the data is in.
    mount.write("/d/old", "new", true);
    assertThat(file("/d/old").pool()).contains("ec");
    assertThat(mount.namespace().delete(path("/d/new"), false)).isTrue();
    assertThat(mount.namespace().delete(path("/d/s"), true)).isTrue();
    mount.sweep();
    assertThat(cluster.objects("ec", "").keySet()).hasSize(3);
    assertThat(cluster.objects(SimulatedMount.POOL, "").keySet()).doesNotContain("d/old");
  }

  /** Whoever has just made files there, and may remember the directory, finds out in time. */
  @Test
  void othersTakeItOverToo() throws IOException {
    SimulatedMount other = SimulatedMount.of(cluster.client("b"));
    other.write("/d/1", "1", true);
    other.write("/d/2", "2", true);
    set("/d", HOT);
    // What is known of the directory may serve for one file more, and no longer.
    other.write("/d/3", "3", true);
    other.write("/d/4", "4", true);
    assertThat(file("/d/4").pool()).contains("hot");
    set("/d", DataLayout.DEFAULT);
    other.write("/d/5", "5", true);
    other.write("/d/6", "6", true);
    assertThat(file("/d/6").pool()).isEmpty();
    for (int i = 1; i <= 6; i++) {
      assertThat(other.read(path("/d/" + i))).isEqualTo(Integer.toString(i));
    }
  }

  /**
   * Found by the explorer: what was known of a directory served for a file in the next one of that
   * name, so that its data went to the pool of a scratch directory, say.
   */
  @Test
  void theNextDirectoryOfThatNameHasNotTheLayoutOfBefore() throws IOException {
    set("/", DataLayout.DEFAULT);
    for (String directory : List.of("/d", "/d/s")) {
      mount.mkdirs(directory);
      set(directory, HOT);
      mount.write(directory + "/1", "1", true);
    }
    assertThat(mount.namespace().delete(path("/d"), true)).isTrue();
    for (String directory : List.of("/d", "/d/s")) {
      mount.write(directory + "/2", "2", true);
      assertThat(file(directory + "/2").pool()).as(directory).isEmpty();
    }
    set("/d/s", HOT);
    mount.write("/d/s/3", "3", true);
    rename("/d", "/e");
    mount.write("/d/s/4", "4", true);
    assertThat(file("/d/s/4").pool()).isEmpty();
    mount.write("/e/s/5", "5", true);
    assertThat(file("/e/s/5").pool()).contains("hot");
  }

  @Test
  void theRootHasOneToo() throws IOException {
    set("/", HOT);
    mount.write("/f", "f");
    mount.write("/d/f", "f");
    assertThat(file("/f").pool()).contains("hot");
    assertThat(layout("/d")).isEqualTo(HOT);
  }

  @Test
  void whatIsNotGivenStaysAndWhatIsTheDefaultIsLeftOut() throws IOException {
    mount.mkdirs("/d");
    set("/d", HOT);
    DataLayout both =
        mount.layouts().change(path("/d"), old -> old.withObjectSize(Optional.of(16)));
    assertThat(both).isEqualTo(HOT.withObjectSize(Optional.of(16)));
    assertThat(
            mount
                .layouts()
                .change(path("/d"), old -> old.withPool(Optional.of(SimulatedMount.POOL))))
        .isEqualTo(DataLayout.DEFAULT.withObjectSize(Optional.of(16)));
    set("/d", DataLayout.DEFAULT);
    mount.write("/d/f", "f");
    assertThat(file("/d/f").pool()).isEmpty();
    int writes = client.writes();
    set("/d", DataLayout.DEFAULT);
    assertThat(client.writes()).isEqualTo(writes);
  }

  @Test
  void aRenameCarriesItAlong() throws IOException {
    mount.write("/d/f", "f");
    mount.mkdirs("/d/empty");
    mount.mkdirs("/x");
    set("/d", EC);
    mount.write("/d/s/g", "g");
    mount.mkdirs("/d/made");
    set("/d/made", HOT);
    set("/d/s", DataLayout.DEFAULT);
    rename("/d", "/x/e");
    for (String at : new String[] {"/x/e", "/y"}) {
      assertThat(layout(at)).isEqualTo(EC);
      assertThat(layout(at + "/made")).isEqualTo(HOT);
      assertThat(layout(at + "/s")).isEqualTo(DataLayout.DEFAULT);
      assertThat(layout(at + "/empty")).isEqualTo(DataLayout.DEFAULT);
      if (at.equals("/x/e")) {
        rename("/x/e", "/y");
      }
    }
    mount.write("/y/h", "h");
    mount.write("/y/s/h", "h");
    mount.write("/y/made/h", "h");
    assertThat(file("/y/h").pool()).contains("ec");
    assertThat(file("/y/s/h").pool()).isEmpty();
    assertThat(file("/y/made/h").pool()).contains("hot");
    assertThat(layout("/y")).isEqualTo(EC);
  }

  /** A directory whose index is not made yet, or is there and empty, keeps its layout too. */
  @Test
  void aRenameOfAnEmptyDirectoryCarriesItAlong() throws IOException {
    mount.mkdirs("/x");
    set("/x", EC);
    mount.mkdirs("/x/none");
    mount.mkdirs("/x/cleared");
    set("/x/cleared", DataLayout.DEFAULT);
    rename("/x/none", "/none");
    rename("/x/cleared", "/cleared");
    assertThat(layout("/none")).isEqualTo(EC);
    assertThat(layout("/cleared")).isEqualTo(DataLayout.DEFAULT);
    mount.write("/none/f", "f");
    mount.write("/cleared/f", "f");
    assertThat(file("/none/f").pool()).contains("ec");
    assertThat(file("/cleared/f").pool()).isEmpty();
  }

  @Test
  void aRenameThatFailsLeavesIt() throws IOException {
    mount.mkdirs("/x");
    set("/x", EC);
    mount.mkdirs("/x/none");
    mount.write("/file", "f");
    assertThatThrownBy(() -> rename("/x/none", "/file")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> rename("/x/none", "/missing/none"))
        .isInstanceOf(FileNotFoundException.class);
    // Withdrawn after the directory was locked, for which its index was made.
    client.faults().atWrite(client.writes() + 5, Fault.failWith(StoreException.Kind.OTHER));
    assertThatThrownBy(() -> rename("/x/none", "/moved")).isInstanceOf(IOException.class);
    mount.sweep();
    mount.write("/x/none/f", "f");
    assertThat(layout("/x/none")).isEqualTo(EC);
    assertThat(file("/x/none/f").pool()).contains("ec");
  }

  @Test
  void whatIsNotThereHasNone() throws IOException {
    mount.write("/f", "f");
    assertThatThrownBy(() -> layout("/none")).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> set("/none", EC)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> layout("/f")).isInstanceOf(PathIsNotDirectoryException.class);
    assertThatThrownBy(() -> set("/f", EC)).isInstanceOf(PathIsNotDirectoryException.class);
    assertThat(mount.layouts().inherited(path("/a/b/c"))).isEqualTo(DataLayout.DEFAULT);
    set("/", HOT);
    assertThat(mount.layouts().inherited(path("/a/b/c"))).isEqualTo(HOT);
  }

  @Test
  void aPoolThatIsFullOrDeniedIsRefused() throws IOException {
    mount.write("/d/f", "f");
    cluster.setQuota("hot", 0);
    assertThatThrownBy(() -> set("/d", HOT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pool 'hot' cannot take the data of new files");
    client.setAccess("ec", SimulatedClient.Access.READ_ONLY);
    assertThatThrownBy(() -> set("/d", EC))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ec");
    assertThat(layout("/d")).isEqualTo(DataLayout.DEFAULT);
    assertThat(cluster.objects("hot", "")).isEmpty();
    assertThat(cluster.objects("ec", "")).isEmpty();
  }

  /** A look, the ledger, the data and the entry: as without a layout. */
  @Test
  void aFileCostsNoMore() throws IOException {
    mount.mkdirs("/d");
    mount.mkdirs("/e");
    set("/d", HOT);
    mount.write("/d/first", "1");
    mount.write("/e/first", "1");
    for (String directory : new String[] {"/d", "/e"}) {
      int before = client.ops();
      mount.write(directory + "/second", "2");
      assertThat(client.ops() - before).isEqualTo(4);
    }
  }

  /** Three for the write probe and the ledger, the list of pools, the index: and a look at that. */
  @Test
  void settingOneIsCheap() throws IOException {
    mount.write("/d/f", "f");
    int before = client.ops();
    set("/d", HOT);
    assertThat(client.ops() - before).isEqualTo(7);
  }
}
