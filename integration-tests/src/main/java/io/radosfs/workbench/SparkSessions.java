// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** Spark in this process, with the settings that rados:// needs. */
public final class SparkSessions {

  /** The commit protocol for rados://; the one setting that a Spark user needs. */
  public static final String PROTOCOL_SETTING = "spark.sql.sources.commitProtocolClass";

  public static final String PROTOCOL = "io.radosfs.committer.spark.RadosCommitProtocol";

  /** Spark's own, for what is written to the local disk. */
  public static final String SPARKS_PROTOCOL =
      "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol";

  /** Of which file systems the driver lists a table's files by one call, without a job. */
  public static final String LISTED_BY_ONE_CALL = "spark.sql.sources.useListFilesFileSystemList";

  private static final String LOG_SETTING = "log4j2.configurationFile";
  private static final String LOG_QUIETLY = "classpath:io/radosfs/workbench/log4j2.properties";

  private SparkSessions() {}

  /** Warnings and errors only, where nothing else is said. To be called before anything logs. */
  public static void logQuietly() {
    if (System.getProperty(LOG_SETTING) == null) {
      System.setProperty(LOG_SETTING, LOG_QUIETLY);
    }
  }

  /** The option of java by which an executor logs as {@link #logQuietly} does. */
  public static String quietLog() {
    return "-D" + LOG_SETTING + "=" + LOG_QUIETLY;
  }

  /**
   * A session.
   *
   * @param cores for {@code local[cores]}
   * @param cephConf the cluster's ceph.conf; null when no rados:// is used
   */
  public static SparkSession local(String cores, Path cephConf) {
    return builder("local[" + cores + "]", cephConf).getOrCreate();
  }

  /**
   * A session to which settings may be added.
   *
   * @param master where its tasks run
   * @param cephConf the cluster's ceph.conf; null when no rados:// is used
   */
  public static SparkSession.Builder builder(String master, Path cephConf) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("radosfs")
            .master(master)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            // The code of a hundred queries stays compiled. Else, of two that are compared, the
            // first one compiles it each time, for the second one too.
            .config("spark.sql.codegen.cache.maxEntries", "10000")
            .config("spark.sql.datetime.java8API.enabled", "true");
    if (cephConf != null) {
      builder
          .config(PROTOCOL_SETTING, PROTOCOL)
          .config(LISTED_BY_ONE_CALL, "s3a,rados") // as the plugin does
          .config("spark.hadoop.fs.rados.ceph.conf", cephConf.toAbsolutePath().toString())
          .config("spark.hadoop.fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    }
    return builder;
  }
}
