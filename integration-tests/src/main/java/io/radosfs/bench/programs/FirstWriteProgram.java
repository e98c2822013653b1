// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import io.radosfs.RadosPlugin;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.JavaProgram;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * A session that has just begun, and its first small table: prints one {@link TimedWrite}, from
 * before there is a session until the table is written. On rados:// it has the plugin and the
 * cluster's ceph.conf, as a user's session has, and on the local disk nothing of either. Arguments:
 * the table, and for rados:// the ceph.conf.
 */
public final class FirstWriteProgram {

  private static final long ROWS = 1_000;
  private static final int FILES = 2;

  private FirstWriteProgram() {}

  /** Measures once. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    JavaProgram.endWithStarter();
    int status = 1;
    try {
      System.out.println(write(List.of(arguments)).line());
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // Threads that libraries have left must not keep the process.
    System.exit(status);
  }

  private static TimedWrite write(List<String> arguments) throws IOException {
    boolean onRados = arguments.size() > 1;
    long started = System.nanoTime();
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("first write")
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false");
    if (onRados) {
      builder
          .config("spark.plugins", RadosPlugin.class.getName())
          .config("spark.hadoop." + Options.CEPH_CONF.key(), arguments.get(1));
    }
    try (SparkSession spark = builder.getOrCreate()) {
      spark.range(0, ROWS, 1, FILES).write().parquet(arguments.get(0));
      long nanos = System.nanoTime() - started;
      return new TimedWrite(onRados ? WorkSide.RADOS : WorkSide.DISK, nanos);
    }
  }
}
