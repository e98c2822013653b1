// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a reader sees, and whether what the pool holds is what it should hold. */
final class JobPoolCheck {

  private final SimulatedCluster cluster;
  private final SimulatedJobs fs;

  JobPoolCheck(SimulatedCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = new SimulatedJobs(cluster.client("observer"));
  }

  /** Every visible file, as {@link JobPaths} has it, with its length; {@code _SUCCESS} with -1. */
  SortedMap<String, Long> tree() throws IOException {
    SortedMap<String, Long> files = new TreeMap<>();
    files()
        .forEach(
            (path, data) ->
                files.put(
                    JobPaths.relative(SimulatedJobs.OUT, path),
                    path.name().equals("_SUCCESS") ? -1 : data.length()));
    return files;
  }

  private Map<FsPath, FileData> files() throws IOException {
    Map<FsPath, FileData> files = new TreeMap<>();
    walk(FsPath.ROOT, files);
    return files;
  }

  private void walk(FsPath directory, Map<FsPath, FileData> files) throws IOException {
    for (Namespace.Child child : fs.namespace().list(directory)) {
      if (child.entry() instanceof Entry.OfFile file) {
        files.put(child.path(), file.data());
        assertThat(fs.namespace().lookup(child.path())).contains(child.entry());
      } else {
        walk(child.path(), files);
      }
    }
  }

  /** I1: no object's data was written twice. I4: whatever there is, something refers to it. */
  void assertNothingUnreachable() {
    SortedMap<String, ObjectView> objects = cluster.objects(SimulatedJobs.POOL, "");
    String references =
        objects.values().stream()
            .flatMap(object -> object.omap().entrySet().stream())
            .map(e -> e.getKey() + "=" + new String(e.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("\n"));
    objects.forEach(
        (name, object) -> {
          assertThat(object.dataWrites()).as("writes of " + name).isLessThanOrEqualTo(1);
          if (isData(name)) {
            assertThat(references).as("references to " + name).contains(uid(name, object));
          } else if (name.contains("//job/")) {
            assertThat(references).contains("j/" + name.substring(name.lastIndexOf('/') + 1));
          }
        });
  }

  /** After recovery: data of visible files and nothing else, no record, no trace of a job. */
  void assertNothingLeft() throws IOException {
    assertNothingLeftBut("none");
  }

  /**
   * The same, but for marks of a transaction that is no more: a client that was overtaken while it
   * prepared leaves them, and whoever next changes the directory takes them away.
   */
  void assertNothingLeftButMarks() throws IOException {
    assertNothingLeftBut("t");
  }

  private void assertNothingLeftBut(String kind) throws IOException {
    assertNothingUnreachable();
    Set<String> expected = new TreeSet<>();
    for (FileData data : files().values()) {
      for (int k = 0; k < data.stripes(); k++) {
        expected.add(data.stripe(k));
      }
    }
    SortedMap<String, ObjectView> objects = cluster.objects(SimulatedJobs.POOL, "");
    assertThat(objects.keySet().stream().filter(JobPoolCheck::isData))
        .containsExactlyElementsOf(expected);
    assertThat(objects.keySet()).noneMatch(name -> name.contains("//job/"));
    objects.forEach(
        (name, object) -> {
          if (name.endsWith("/") || isShard(name)) {
            assertThat(object.omap().keySet())
                .as("keys of " + name)
                .noneMatch(key -> key.matches("[jtpx]/.*") && !key.startsWith(kind + "/"));
          }
        });
  }

  private static boolean isShard(String name) {
    return name.contains("//shard/");
  }

  private static boolean isData(String name) {
    return !name.endsWith("/")
        && !name.contains("//job/")
        && !isShard(name)
        && !name.startsWith("//ledger")
        && !name.startsWith("//superblock")
        && !name.startsWith("//replaced")
        && !name.startsWith("//layouts");
  }

  private static String uid(String name, ObjectView object) {
    byte[] xattr = object.xattrs().get(FileData.UID_XATTR);
    if (xattr != null) {
      return new String(xattr, StandardCharsets.UTF_8);
    }
    String[] parts = name.substring(name.indexOf("//") + 2).split("/");
    return parts[0];
  }
}
