// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.Peer.Store;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The peers of one run, as {@code scripts/lib/ceph-peers.sh} has told of them.
 *
 * @param all of them; rados:// is the first
 * @param hadoop settings of Hadoop with which all are reached
 * @param daemons process ids, by name
 */
record Peers(List<Peer> all, Map<String, String> hadoop, Map<String, Long> daemons) {

  static final String RADOS = "rados://";
  static final String DISK = "local disk v1";
  static final String CEPHFS_V1 = "CephFS v1";
  static final String CEPHFS_V2 = "CephFS v2";
  static final String S3A_MAGIC = "S3A magic";
  static final String S3A_V1 = "S3A v1";
  static final String S3A_V2 = "S3A v2";

  private static final String PID = "pid.";
  private static final String ALGORITHM = "mapreduce.fileoutputcommitter.algorithm.version";

  /** With this, the peers' file has settings as Hadoop has them. */
  private static final String S3A = "fs.s3a.";

  private static final String S3A_COMMITTER = S3A + "committer.name";
  private static final String OF_PARQUET = "spark.sql.parquet.output.committer.class";
  private static final String PARQUETS = "org.apache.parquet.hadoop.ParquetOutputCommitter";

  /** Of spark-hadoop-cloud, as S3A's documentation says. */
  private static final String CLOUD = "org.apache.spark.internal.io.cloud.";

  Peers {
    all = List.copyOf(all);
    hadoop = Map.copyOf(hadoop);
    daemons = new TreeMap<>(daemons);
  }

  static Peers read(java.nio.file.Path file, URI base, java.nio.file.Path localDirectory)
      throws IOException {
    if (file == null) {
      throw new IllegalArgumentException("no --peers: scripts/bench peers starts them");
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return of(properties, base, localDirectory);
  }

  /** Without CephFS where it could not be mounted. */
  static Peers of(Properties properties, URI base, java.nio.file.Path localDirectory) {
    List<Peer> peers = new ArrayList<>();
    Path rados = new Path(new Path(base), "peers");
    peers.add(peer(RADOS, rados, Store.RADOS, SparkSessions.PROTOCOL, "1", "file"));
    Path disk = new Path(new Path(localDirectory.toUri()), "peers");
    peers.add(peer(DISK, disk, Store.DISK, SparkSessions.SPARKS_PROTOCOL, "1", "file"));
    String mounted = properties.getProperty("cephfs.dir");
    if (mounted != null) {
      Path cephfs = new Path(java.nio.file.Path.of(mounted).toUri());
      for (String version : List.of("1", "2")) {
        peers.add(
            peer(
                "CephFS v" + version,
                new Path(cephfs, "v" + version),
                Store.CEPHFS,
                SparkSessions.SPARKS_PROTOCOL,
                version,
                "file"));
      }
    }
    Path bucket = new Path("s3a://" + needed(properties, "bucket") + "/");
    peers.add(
        peer(
            S3A_MAGIC,
            new Path(bucket, "magic"),
            Store.S3A,
            CLOUD + "PathOutputCommitProtocol",
            "1",
            "magic"));
    for (String version : List.of("1", "2")) {
      peers.add(
          peer(
              "S3A v" + version,
              new Path(bucket, "v" + version),
              Store.S3A,
              SparkSessions.SPARKS_PROTOCOL,
              version,
              "file"));
    }
    return new Peers(peers, s3a(properties), daemons(properties));
  }

  /** The first of each store: it writes what is only read. */
  Map<Store, Peer> ofStores() {
    Map<Store, Peer> first = new LinkedHashMap<>();
    all.forEach(peer -> first.putIfAbsent(peer.store(), peer));
    return first;
  }

  Peer rados() {
    return all.get(0);
  }

  /** Has a session reach them all. */
  void configure(SparkSession spark) {
    hadoop.forEach(spark.sparkContext().hadoopConfiguration()::set);
  }

  private static Peer peer(
      String name, Path root, Store store, String protocol, String algorithm, String s3aCommitter) {
    boolean magic = s3aCommitter.equals("magic");
    Map<String, String> settings = new TreeMap<>();
    settings.put(SparkSessions.PROTOCOL_SETTING, protocol);
    settings.put(ALGORITHM, algorithm);
    settings.put(S3A_COMMITTER, s3aCommitter);
    settings.put(OF_PARQUET, magic ? CLOUD + "BindingParquetOutputCommitter" : PARQUETS);
    return new Peer(name, root, store, settings);
  }

  private static Map<String, String> s3a(Properties properties) {
    String unused = needed(properties, S3A + "endpoint");
    Map<String, String> settings = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(S3A)) {
        settings.put(key, properties.getProperty(key));
      }
    }
    return settings;
  }

  private static Map<String, Long> daemons(Properties properties) {
    Map<String, Long> daemons = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(PID)) {
        daemons.put(key.substring(PID.length()), Long.valueOf(properties.getProperty(key)));
      }
    }
    return daemons;
  }

  private static String needed(Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException("the peers' file says no " + key);
    }
    return value;
  }
}
