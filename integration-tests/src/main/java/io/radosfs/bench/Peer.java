// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * A way to have Spark write to a store.
 *
 * @param name of the store, and the committer
 * @param root a directory of its own
 * @param settings which Spark, Hadoop and Parquet need for it; each peer sets the same keys
 */
record Peer(String name, Path root, Store store, Map<String, String> settings) {

  /** What holds the files. */
  enum Store {
    RADOS("rados://"),
    DISK("local disk"),
    CEPHFS("CephFS"),
    S3A("S3A");

    private final String title;

    Store(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** What the session writes from now on is written this way. */
  void choose(SparkSession spark) {
    settings.forEach(spark.conf()::set);
  }

  /** Removes all that it has written. */
  void delete(SparkSession spark) throws IOException {
    root.getFileSystem(spark.sessionState().newHadoopConf()).delete(root, true);
  }
}
