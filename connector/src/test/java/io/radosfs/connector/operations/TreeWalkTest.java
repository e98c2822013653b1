// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TreeWalkTest {

  private final Map<FsPath, List<Child>> tree = new HashMap<>();
  private final List<Integer> batches = new ArrayList<>();

  private static FsPath path(String text) {
    return new FsPath(text);
  }

  private void directory(String directory, String... children) {
    List<Child> list = new ArrayList<>();
    for (String name : children) {
      FsPath child = path(directory + "/" + name);
      Entry entry =
          name.startsWith("d")
              ? new Entry.OfDirectory(Uid.random(), SimulatedMount.ATTRIBUTES)
              : new Entry.OfFile(
                  new FileData(child, Uid.random(), true, 1, 1, Optional.empty()),
                  0,
                  SimulatedMount.ATTRIBUTES);
      list.add(new Child(child, entry));
    }
    tree.put(path(directory), list);
  }

  private List<String> walk(String top) throws IOException {
    DirectoryLoop loop =
        new DirectoryLoop() {
          @Override
          public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
            batches.add(directories.size());
            DirectoryLoop.sequential().run(directories, work);
          }
        };
    TreeWalk walk = new TreeWalk(path(top), this::list, loop);
    List<String> met = new ArrayList<>();
    while (walk.hasNext()) {
      met.add(walk.next().path().key());
    }
    assertThat(walk.hasNext()).isFalse();
    return met;
  }

  private List<Child> list(FsPath directory) throws IOException {
    List<Child> children = tree.get(directory);
    if (children == null) {
      throw new FileNotFoundException(directory.toString());
    }
    return children;
  }

  @Test
  void meetsEverythingOnce() throws IOException {
    directory("a", "d1", "d2", "f");
    directory("a/d1", "d3", "f");
    directory("a/d1/d3", "f");
    directory("a/d2");
    assertThat(walk("a"))
        .containsExactlyInAnyOrder("a/d1", "a/d2", "a/f", "a/d1/d3", "a/d1/f", "a/d1/d3/f");
    assertThat(batches).containsExactly(2, 1);
  }

  @Test
  void directoriesAreListedSeveralAtATimeAndNoMore() throws IOException {
    String[] names = new String[40];
    for (int i = 0; i < names.length; i++) {
      names[i] = "d" + i;
      directory("a/d" + i, "f");
    }
    directory("a", names);
    assertThat(walk("a")).hasSize(80);
    assertThat(batches).containsExactly(TreeWalk.AT_ONCE, TreeWalk.AT_ONCE, 8);
  }

  @Test
  void whatHasGoneIsEmptyButTheTopMustBeThere() throws IOException {
    directory("a", "d1", "d2");
    directory("a/d2", "f");
    assertThat(walk("a")).containsExactly("a/d1", "a/d2", "a/d2/f");
    assertThatThrownBy(() -> walk("none")).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void otherFailuresAreThrown() throws IOException {
    directory("a", "d1");
    TreeWalk walk =
        new TreeWalk(
            path("a"),
            directory -> {
              if (directory.equals(path("a"))) {
                return list(directory);
              }
              throw new IOException("denied");
            },
            DirectoryLoop.sequential());
    assertThat(walk.hasNext()).isTrue();
    assertThat(walk.next().path().key()).isEqualTo("a/d1");
    assertThatThrownBy(walk::hasNext).hasMessage("denied");
  }
}
