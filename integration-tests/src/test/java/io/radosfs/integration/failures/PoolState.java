// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.spark.SparkOnCeph;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** What is in a pool after a failure, by radosfs and by a full listing of the pool. */
final class PoolState {

  private final CephCluster ceph;
  private final String pool;
  private final Configuration conf;

  PoolState(CephCluster ceph, String pool, Configuration conf) {
    this.ceph = ceph;
    this.pool = pool;
    this.conf = conf;
  }

  PoolState(SparkOnCeph on) {
    this(on.ceph, on.pool, on.configuration());
  }

  /**
   * Collects what dead processes and jobs have left; then the check finds nothing, and the pool has
   * the objects of the files and directories that there are, and no others.
   */
  void assertCleanAfterCollection() throws IOException {
    collect();
    assertClean();
  }

  /** By the command line, which ends dead jobs too. */
  void collect() {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    List<String> command = new ArrayList<>(List.of("gc", "--older-than", "0s", uri().toString()));
    conf.getPropsWithPrefix("fs.rados.")
        .forEach((key, value) -> command.add("-Dfs.rados." + key + "=" + value));
    assertThat(Radosfs.run(out, out, command.toArray(String[]::new)))
        .as("the collection: %s", said)
        .isZero();
  }

  /** The same, where there is nothing to collect. */
  void assertClean() throws IOException {
    assertCheckFindsNothing();
    Set<String> expected = new TreeSet<>(List.of("//superblock"));
    Set<String> indexes = new TreeSet<>();
    try (Mount mount = mount()) {
      walk(mount, FsPath.ROOT, expected, indexes);
    }
    List<String> missing = new ArrayList<>(expected);
    List<String> unexpected = new ArrayList<>(ceph.listObjects(pool));
    missing.removeAll(unexpected);
    unexpected.removeAll(expected);
    // A directory may have no index; the ledgers of live processes are theirs.
    unexpected.removeAll(indexes);
    unexpected.removeIf(name -> name.equals("//ledgers") || name.startsWith("//ledger/"));
    assertThat(missing).as("objects of files, which the pool has not").isEmpty();
    assertThat(unexpected).as("objects that are of no file").isEmpty();
  }

  /** The check finds nothing wrong: what processes and jobs have left is where it is looked for. */
  void assertCheckFindsNothing() throws IOException {
    try (Mount mount = mount()) {
      assertThat(mount.check().run(false).findings()).isEmpty();
    }
  }

  private static void walk(Mount mount, FsPath directory, Set<String> objects, Set<String> indexes)
      throws IOException {
    indexes.add(ObjectNames.index(directory));
    for (Namespace.Child child : mount.namespace().list(directory)) {
      if (child.entry() instanceof Entry.OfFile file) {
        for (int stripe = 0; stripe < file.data().stripes(); stripe++) {
          objects.add(file.data().stripe(stripe));
        }
      } else {
        walk(mount, child.path(), objects, indexes);
      }
    }
  }

  private URI uri() {
    return URI.create("rados://" + pool + "/");
  }

  private Mount mount() throws IOException {
    return Mount.openExisting(Authority.of(uri()), conf);
  }
}
