// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import io.radosfs.bench.works.JobData;
import io.radosfs.bench.works.SparkWorks;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.workbench.JavaProgram;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The driver of executors that are processes of their own: they write the large files, to rados://
 * and to the local disk in turns. It prints a {@link TimedWrite} for each write, of which the first
 * of each side is a warm-up. Spark starts its processes by what it finds in the environment: see
 * {@link #environment}.
 */
public final class ExecutorsProgram {

  public static final int EXECUTORS = 3;

  private static final int MIB_OF_AN_EXECUTOR = 1024;
  private static final String FOLDER = "executors";

  private final SparkSession spark;
  private final PrintStream out;

  private ExecutorsProgram(SparkSession spark, PrintStream out) {
    this.spark = spark;
    this.out = out;
  }

  /**
   * What starts it.
   *
   * @param home a folder where Spark's processes may write; it ends up as large as their logs
   */
  public static ProcessBuilder of(Path home, Path cephConf, URI base, Path local, int rounds)
      throws IOException {
    ProcessBuilder program =
        JavaProgram.of(
            ExecutorsProgram.class,
            List.of("-Xmx1g"),
            home.toString(),
            cephConf.toAbsolutePath().toString(),
            base.toString(),
            local.toAbsolutePath().toString(),
            Integer.toString(rounds));
    program.environment().putAll(environment(home));
    return program;
  }

  /** As if Spark were installed there; the executors have this class path instead of its jars. */
  private static Map<String, String> environment(Path home) throws IOException {
    Path unused = Files.createDirectories(home.resolve("jars"));
    return Map.of(
        "SPARK_HOME",
        home.toString(),
        "SPARK_SCALA_VERSION",
        "2.13",
        "JAVA_HOME",
        System.getProperty("java.home"));
  }

  /** What both sides wrote is below these: the caller removes them. */
  public static List<WorkSide> sides(URI base, Path local) {
    return List.of(WorkSide.disk(local, FOLDER), WorkSide.rados(base, FOLDER));
  }

  /** Measures. The arguments are those of {@link #of}. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    JavaProgram.endWithStarter();
    int status = 1;
    try (SparkSession spark = session(Path.of(arguments[0]), Path.of(arguments[1]))) {
      List<WorkSide> sides = sides(URI.create(arguments[2]), Path.of(arguments[3]));
      new ExecutorsProgram(spark, System.out).run(sides, Integer.parseInt(arguments[4]));
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // Threads that libraries have left must not keep the process.
    System.exit(status);
  }

  private static SparkSession session(Path home, Path cephConf) {
    String master = "local-cluster[" + EXECUTORS + ",1," + MIB_OF_AN_EXECUTOR + "]";
    return SparkSessions.builder(master, cephConf)
        .config("spark.local.dir", home.resolve("local").toString())
        .config("spark.executor.memory", MIB_OF_AN_EXECUTOR + "m")
        .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .config("spark.executor.extraJavaOptions", SparkSessions.quietLog())
        // No task begins before all are there.
        .config("spark.scheduler.minRegisteredResourcesRatio", "1")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "2m")
        .getOrCreate();
  }

  private void run(List<WorkSide> sides, int rounds) throws IOException, InterruptedException {
    Dataset<Row> rows =
        new JobData(spark).incompressible(SparkWorks.LARGE_MIB, SparkWorks.LARGE_FILES);
    for (int round = 0; round <= rounds; round++) {
      for (WorkSide side : Turns.of(sides, round)) {
        out.println(write(rows, side, round).line());
      }
      // The driver is one of them. Where one has died, what was measured is another thing.
      int executors = spark.sparkContext().statusTracker().getExecutorInfos().length - 1;
      if (executors != EXECUTORS) {
        throw new IllegalStateException("there are " + executors + " executors");
      }
    }
  }

  private TimedWrite write(Dataset<Row> rows, WorkSide side, int round)
      throws IOException, InterruptedException {
    org.apache.hadoop.fs.Path directory =
        new org.apache.hadoop.fs.Path(side.root(), "write-" + round);
    side.choose(spark);
    JobData.quiesce();
    long started = System.nanoTime();
    rows.write().parquet(directory.toString());
    long nanos = System.nanoTime() - started;
    WorkSide.delete(spark, directory);
    return new TimedWrite(side.title(), nanos);
  }
}
