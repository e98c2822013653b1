// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A driver and a collector of garbage, with the clock that its process has. */
public final class ClockApp {

  /** Asks for the milliseconds since the epoch. */
  public static final String TIME = "time";

  /** Asks for a job that adds one file, committed. */
  public static final String JOB = "job";

  /** Asks for the collection of what had no heartbeat for an hour. */
  public static final String COLLECT = "collect";

  private ClockApp() {}

  /**
   * Runs until its input ends.
   *
   * @param arguments the cluster's ceph.conf, the job's destination, and the file's content
   */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[0]);
    conf.set("fs.rados.replaced.retention", "0");
    try (Told told = new Told()) {
      told.answerEach(
          line ->
              switch (line) {
                case TIME -> Long.toString(System.currentTimeMillis());
                case JOB -> job(conf, arguments[1], arguments[2].getBytes(StandardCharsets.UTF_8));
                case COLLECT -> collect(conf, new Path(arguments[1]));
                default -> "cannot do '" + line + "'";
              });
    }
  }

  private static String job(Configuration conf, String to, byte[] content) {
    try {
      ProtocolJob job = new ProtocolJob(conf, to, UUID.randomUUID().toString()).setup();
      job.commit(List.of(job.attempt(0, 0).file("", "-theirs", content).commit()));
      return Told.DONE;
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static String collect(Configuration conf, Path destination) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int status =
        Radosfs.run(
            out,
            out,
            "gc",
            "--older-than",
            "1h",
            "-Dfs.rados.ceph.conf=" + conf.get("fs.rados.ceph.conf"),
            new Path(destination, "/").toString());
    return status == 0 ? Told.DONE : said.toString();
  }
}
