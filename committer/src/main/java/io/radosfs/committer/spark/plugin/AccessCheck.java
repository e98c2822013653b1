// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.access.ClusterAccess;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;

/**
 * Tries to reach Ceph from this process: librados, the key, and the file systems that are to be
 * used. Makes and changes nothing. Costs a connection, which the process would need anyway, and one
 * or two reads for each file system.
 */
record AccessCheck(Configuration conf, List<URI> uris) {

  private static final String AUTO = "auto";
  private static final String OFF = "off";

  /** Spark's settings that hold a path, which may be a rados://. */
  private static final List<String> PATHS =
      List.of(
          "spark.sql.warehouse.dir",
          "spark.sql.streaming.checkpointLocation",
          "spark.checkpoint.dir",
          "spark.eventLog.dir",
          "spark.storage.decommission.fallbackStorage.path");

  /**
   * Returns the check that the settings ask for; empty for none.
   *
   * @throws IllegalArgumentException if one of the named file systems is none of radosfs
   */
  static Optional<AccessCheck> of(Configuration conf, SparkConf spark) {
    List<String> wanted = new Settings(conf, "").get(CommitterOptions.PLUGIN_CHECK);
    if (wanted.equals(List.of(OFF))) {
      return Optional.empty();
    }
    boolean auto = wanted.equals(List.of(AUTO));
    Map<String, URI> byAuthority = new TreeMap<>();
    for (String text : auto ? named(conf, spark) : wanted) {
      URI uri = new Path(text).toUri();
      if (Authority.SCHEME.equalsIgnoreCase(uri.getScheme())) {
        if (uri.getAuthority() == null && isDefault(conf)) {
          continue; // which is named too
        }
        byAuthority.putIfAbsent(Authority.of(uri).text(), uri);
      } else if (!auto) {
        throw new IllegalArgumentException(
            CommitterOptions.PLUGIN_CHECK.key()
                + " has '"
                + text
                + "', but should have file systems such as rados://mypool/, or 'auto', or 'off'");
      }
    }
    return Optional.of(new AccessCheck(conf, List.copyOf(byAuthority.values())));
  }

  /** Whether what has no authority is in the default file system, which is one of radosfs. */
  private static boolean isDefault(Configuration conf) {
    URI uri = FileSystem.getDefaultUri(conf);
    return Authority.SCHEME.equalsIgnoreCase(uri.getScheme()) && uri.getAuthority() != null;
  }

  /**
   * The pools of the file systems. If there are none, those for which alone a Ceph user is set; the
   * empty name if one is set for all pools, or none at all.
   */
  List<String> pools() {
    if (!uris.isEmpty()) {
      return uris.stream().map(uri -> Authority.of(uri).pool()).toList();
    }
    Set<String> withUser = Settings.poolsWith(conf, Options.CEPH_USER);
    return new Settings(conf, "").isSet(Options.CEPH_USER) || withUser.isEmpty()
        ? List.of("")
        : List.copyOf(withUser);
  }

  private static List<String> named(Configuration conf, SparkConf spark) {
    List<String> named = new ArrayList<>(List.of(conf.getTrimmed("fs.defaultFS", "")));
    PATHS.forEach(key -> named.add(spark.get(key, "").trim()));
    named.removeIf(text -> !text.regionMatches(true, 0, Authority.SCHEME + ":", 0, 6));
    return named;
  }

  /**
   * Runs it.
   *
   * @return a few words for each Ceph user and file system that can be reached
   * @throws IOException which says what to do
   */
  List<String> run() throws IOException {
    List<String> roots = new ArrayList<>();
    for (URI uri : uris) {
      Path root = new Path(uri.getScheme(), uri.getAuthority(), "/");
      roots.add(root.getFileSystem(conf).getFileStatus(root).getPath().toString());
    }
    // The file systems stay open for the tasks, and this shares their connections.
    Set<String> found = new LinkedHashSet<>();
    for (String pool : pools()) {
      try (ClusterAccess access = ClusterAccess.connect(conf, pool)) {
        found.add(access.user() + " on cluster " + access.fsid() + " as " + access.client());
      }
    }
    found.addAll(roots);
    return List.copyOf(found);
  }
}
