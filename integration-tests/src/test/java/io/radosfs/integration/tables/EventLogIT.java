// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.LoggedApp;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.spark.SparkOnCeph;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.status.api.v1.ApplicationInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.collection.Iterator;

/**
 * Spark's event log on {@code rados://}, read by the history server's own provider. A file of it
 * appears when it is closed, so it rolls to the next one; what a killed application had begun last
 * is lost, and all before is there.
 */
class EventLogIT {

  /** The least that Spark takes. */
  private static final String ROLLED_AT = "10m";

  private static final long TIMEOUT_MILLIS = 60_000;

  private static SparkOnCeph on;

  @BeforeAll
  static void start() throws Exception {
    on = SparkOnCeph.withNewPool();
    on.fileSystem().mkdirs(on.path("events"));
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void isReadByTheHistoryServer(@TempDir Path folder) throws Exception {
    String running;
    String ended;
    try (Program first = start(folder);
        Program second = start(folder)) {
      ended = first.answer();
      running = second.answer();
      first.end();
      second.kill();
    }
    assertThat(on.files("events/eventlog_v2_" + ended))
        .as("several files, each begun when the one before was full")
        .hasSizeGreaterThanOrEqualTo(3)
        .contains("events/eventlog_v2_" + ended + "/appstatus_" + ended);

    FsHistoryProvider history = new FsHistoryProvider(historyServer());
    try {
      Map<String, Boolean> completed = listing(history, 2);
      assertThat(completed).isEqualTo(Map.of(ended, true, running, false));
      assertThat(jobs(history, ended)).isEqualTo(LoggedApp.JOBS);
      assertThat(jobs(history, running)).isBetween(1, LoggedApp.JOBS);
    } finally {
      history.stop();
    }
  }

  private static Program start(Path folder) throws Exception {
    return Program.start(
        folder,
        LoggedApp.class,
        Map.of(
            "spark.eventLog.enabled",
            "true",
            "spark.eventLog.rolling.enabled",
            "true",
            "spark.eventLog.rolling.maxFileSize",
            ROLLED_AT,
            "spark.eventLog.dir",
            on.uri("events")),
        on.ceph.conf().toString());
  }

  private static SparkConf historyServer() {
    return new SparkConf(false)
        .set("spark.hadoop.fs.rados.ceph.conf", on.ceph.conf().toString())
        .set("spark.history.fs.logDirectory", on.uri("events"));
  }

  /** Applications by their ids, and whether they are complete, once there are as many. */
  private static Map<String, Boolean> listing(FsHistoryProvider history, int applications)
      throws InterruptedException {
    long deadline = System.currentTimeMillis() + TIMEOUT_MILLIS;
    while (true) {
      history.checkForLogs(); // what it finds new it reads in a thread of its own
      Map<String, Boolean> completed = new HashMap<>();
      for (Iterator<ApplicationInfo> all = history.getListing(); all.hasNext(); ) {
        ApplicationInfo application = all.next();
        completed.put(application.id(), application.attempts().head().completed());
      }
      if (completed.size() >= applications || System.currentTimeMillis() > deadline) {
        return completed;
      }
      Thread.sleep(100);
    }
  }

  private static int jobs(FsHistoryProvider history, String application) {
    return history.getAppUI(application, Option.empty()).get().ui().store().jobsList(null).size();
  }
}
