// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import io.radosfs.committer.RadosCommitterFactory;
import io.radosfs.committer.spark.RadosCommitProtocol;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;

/** The settings by which Spark and Hadoop find radosfs. What a user has set stays. */
final class SessionSettings {

  /** Spark SQL's own setting. */
  static final String PROTOCOL = "spark.sql.sources.commitProtocolClass";

  /** Its value for radosfs. */
  static final String OUR_PROTOCOL = RadosCommitProtocol.class.getName();

  /**
   * Spark SQL's own setting, from 4.0 on: of which file systems it has a table's files listed by
   * one call of {@code listFiles}, on the driver. Of others it lists the directories by a job with
   * a task for each, where there are more than 32.
   */
  static final String LISTED_BY_ONE_CALL = "spark.sql.sources.useListFilesFileSystemList";

  /** Spark's default, and ours. */
  static final String LISTED_BY_ONE_CALL_WITH_OURS = "s3a,rados";

  private static final String SPARKS_HADOOP = "spark.hadoop.";

  /** Hadoop's own settings of file systems. */
  static final Map<String, String> FILE_SYSTEMS =
      new TreeMap<>(
          Map.of(
              "fs.rados.impl", "io.radosfs.connector.RadosFileSystem",
              "fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs"));

  /** Hadoop's own setting, for Spark's RDD functions of the new Hadoop API. */
  static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.rados";

  private SessionSettings() {}

  /**
   * Sets them for an application, before its first session.
   *
   * @param spark what sessions and executors are made from
   * @param hadoop the application's own
   */
  static void apply(SparkConf spark, Configuration hadoop) {
    spark.setIfMissing(PROTOCOL, OUR_PROTOCOL);
    spark.setIfMissing(LISTED_BY_ONE_CALL, LISTED_BY_ONE_CALL_WITH_OURS);
    Map<String, String> all = new TreeMap<>(FILE_SYSTEMS);
    if (isOurs(protocol(spark))) {
      // Spark's own protocol would use it too, and does not get on with it: see the factory.
      all.put(FACTORY, RadosCommitterFactory.class.getName());
    }
    all.forEach(
        (key, value) -> {
          spark.setIfMissing(SPARKS_HADOOP + key, hadoop.get(key, value));
          hadoop.setIfUnset(key, value);
        });
  }

  /** Sets those of file systems for one configuration. */
  static void apply(Configuration hadoop) {
    FILE_SYSTEMS.forEach(hadoop::setIfUnset);
  }

  /** The protocol by which Spark SQL commits. */
  static String protocol(SparkConf spark) {
    return spark.get(PROTOCOL);
  }

  static boolean isOurs(String protocol) {
    return protocol.equals(OUR_PROTOCOL);
  }
}
