// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.directory.MadeIndexes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for files of dead processes, beside somebody who renames at any of its operations. */
@Execution(ExecutionMode.CONCURRENT)
class LeadsTest {

  private static final String LONG = "more than one stripe of it";

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  private static SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /**
   * Somebody renames after every operation of the collection, as long as the fuse burns: what was
   * never published goes as soon as the busy directories stand still for a moment, whatever is
   * renamed, and at once where names are renamed in one directory alone.
   */
  @ParameterizedTest
  @CsvSource({"/a/x,/a/y,true", "/a/x,/b/x,false"})
  void besideRenamesThatNeverPause(String from, String to, boolean ends) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount renamer = mount(cluster.client("renamer"));
    renamer.write("/b/old", "o");
    renamer.write(from, "o");
    SimulatedMount dead = mount(cluster.client("dead"));
    for (int i = 0; i < 20; i++) {
      dead.mkdirs("/quiet" + i + "/below");
    }
    dead.write("/w/f", LONG);
    dead.namespace().rename(path("/w/f"), path("/b/f"), false);
    SimulatedClient dying = cluster.client("dying");
    dying.faults().once(op -> op.write() && op.summary().contains("e/lost"), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> mount(dying).write("/w/lost", LONG)).isInstanceOf(ClientCrashed.class);
    SimulatedClient janitor = cluster.client("janitor");
    String[] names = {from, to};
    janitor
        .faults()
        .before(
            op -> {
              if (isSearched(op)) {
                rename(renamer, names);
              }
            });
    CollectionLog log = new CollectionLog(line -> {});
    mount(janitor).collect(log);
    assertThat(cluster.objects(SimulatedMount.POOL, "").containsKey("w/lost")).isEqualTo(!ends);
    assertThat(log.kept()).isEqualTo(ends ? 0 : 2);
    assertThat(janitor.reads()).isLessThan(ends ? 800 : 800 + 6 * Leads.MOST_TRIES);
    janitor.faults().clear();
    mount(janitor).collect();
    assertThat(cluster.objects(SimulatedMount.POOL, "")).doesNotContainKey("w/lost");
    assertThat(mount(janitor).read(path("/b/f"))).isEqualTo(LONG);
  }

  /** Reads of entries, intents and data to delete, all at once, are the search's. */
  private static boolean isSearched(OpInfo op) {
    return !op.write()
        && List.of("a/", "b/", "c/").contains(op.object())
        && (isWhole(op) || !op.summary().contains("omapRange"));
  }

  private static boolean isWhole(OpInfo op) {
    return op.summary().contains("'x/'") && op.summary().contains("'e/'");
  }

  private static void rename(SimulatedMount renamer, String[] names) {
    run(m -> m.namespace().rename(path(names[0]), path(names[1]), false), renamer);
    String last = names[0];
    names[0] = names[1];
    names[1] = last;
  }

  /** A file that is in no directory when that is read is found, or kept. */
  @Test
  void aFileThatIsAlwaysWhereWasJustLookedIsKept() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount renamer = mount(cluster.client("renamer"));
    renamer.write("/a/old", "o");
    renamer.write("/b/old", "o");
    SimulatedMount dead = mount(cluster.client("dead"));
    dead.write("/w/f", LONG);
    dead.namespace().rename(path("/w/f"), path("/b/f"), false);
    SimulatedClient janitor = cluster.client("janitor");
    janitor
        .faults()
        .before(
            op -> {
              if (isSearched(op)) {
                String here = op.object().substring(0, 1);
                if (isThere(renamer, "/" + here + "/f")) {
                  rename(
                      renamer,
                      new String[] {"/" + here + "/f", here.equals("a") ? "/b/f" : "/a/f"});
                }
              }
            });
    CollectionLog log = new CollectionLog(line -> {});
    mount(janitor).collect(log);
    assertThat(log.kept()).isEqualTo(1);
    assertThat(mount(cluster.client("reader")).tree()).containsValue(LONG);
  }

  /** A directory that is made after its parent was read, and gone before that is read again. */
  @Test
  void aFileInADirectoryThatNoReadingSeesIsKept() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount renamer = mount(cluster.client("renamer"));
    for (String directory : List.of("/a", "/b", "/c")) {
      renamer.write(directory + "/old", "o");
    }
    SimulatedMount dead = mount(cluster.client("dead"));
    dead.write("/w/f", LONG);
    dead.namespace().rename(path("/w/f"), path("/c/f"), false);
    SimulatedClient janitor = cluster.client("janitor");
    Deque<Step> steps =
        new ArrayDeque<>(
            List.of(
                m -> {
                  m.mkdirs("/b/new");
                  m.namespace().rename(path("/c/f"), path("/b/new/f"), false);
                },
                m -> {
                  m.namespace().rename(path("/b/new/f"), path("/a/f"), false);
                  m.namespace().delete(path("/b/new"), false);
                }));
    janitor
        .faults()
        .before(
            op -> {
              boolean first = steps.size() == 2 && op.object().equals("c/");
              boolean second = steps.size() == 1 && op.object().equals("b/");
              if (isSearched(op) && (first && isWhole(op) || second)) {
                run(steps.remove(), renamer);
              }
            });
    mount(janitor).collect(new CollectionLog(line -> {}));
    assertThat(mount(cluster.client("reader")).tree()).containsValue(LONG);
  }

  /**
   * An index whose entry is made while it is looked for, and whose line goes from the ledger then:
   * the ledgers are to be read before the index.
   */
  @Test
  void whatGoesFromTheLedgerToTheIndexIsLedTo() throws IOException {
    boolean reached = true;
    for (int operation = 1; reached; operation++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount writer = mount(cluster.client("writer"));
      writer.mkdirs("/w");
      IndexWriter indexes = writer.wiring().indexes().writer();
      MadeIndexes made = new MadeIndexes(indexes, writer.ledger(), path("/w/new"));
      assertThat(indexes.applyUnseen(made.begin())).isTrue();
      SimulatedClient client = cluster.client("inspector");
      SimulatedMount inspector = mount(client);
      OnePool pool = new OnePool(new StorePoolView(inspector.store()));
      LeakedObjects suspects = new LeakedObjects(pool);
      suspects.add(new Finding(Finding.Kind.LEAK, "w/new/", "missed by two looks"), pool.view());
      boolean[] done = new boolean[1];
      long at = client.ops() + operation;
      client
          .faults()
          .before(
              op -> {
                if (op.number() == at) {
                  done[0] = true;
                  run(m -> publish(m, made), writer);
                }
              });
      assertThat(
              Leads.anywhere(
                  inspector.wiring().indexes().reader(),
                  inspector.wiring().retainedData(),
                  new WrittenDown(pool.view()),
                  suspects))
          .isTrue();
      assertThat(suspects.rest()).as("made before operation %d", operation).isEmpty();
      reached = done[0];
      assertThat(operation).isLessThan(50);
    }
  }

  /** The next line of the ledger takes that of the index away. */
  private static void publish(SimulatedMount writer, MadeIndexes made) throws IOException {
    writer.mkdirs("/w/new");
    made.crossOut();
    writer.write("/w/f", "f");
  }

  private record OnePool(PoolView view) implements PoolView.Pools {
    @Override
    public PoolView index() {
      return view;
    }

    @Override
    public PoolView of(FileData file) {
      return view;
    }
  }

  private static void run(Step step, SimulatedMount mount) {
    try {
      step.on(mount);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isThere(SimulatedMount mount, String path) {
    try {
      return mount.namespace().lookup(path(path)).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
