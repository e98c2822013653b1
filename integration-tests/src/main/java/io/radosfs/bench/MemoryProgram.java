// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySampler;
import io.radosfs.bench.memory.MemoryTask;
import io.radosfs.bench.memory.ProcessMemory;
import io.radosfs.bench.memory.QueryRun;
import io.radosfs.bench.memory.ShuffleListener;
import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.queries.AskedTables.Answer;
import io.radosfs.bench.queries.SparksQueries;
import io.radosfs.workbench.JavaProgram;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.sql.SparkSession;

/**
 * Asks the queries of a {@link MemoryTask}: all of them to warm up, and all of them again, while it
 * samples the memory. It is a process of its own, so that its memory is that of one side alone. Of
 * a query that fails it keeps the reason, and goes on.
 *
 * <p>It prints a line each time that it is done with a query, and nothing else. It ends with the
 * process that started it, however that ends.
 */
public final class MemoryProgram {

  private static final String CORES = "2";
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final MemoryTask task;
  private final PrintStream out;
  private final ShuffleListener shuffles = new ShuffleListener();
  private final Map<String, Timed> answers = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();

  private record Timed(Answer answer, double collecting) {}

  private MemoryProgram(MemoryTask task, PrintStream out) {
    this.task = task;
    this.out = out;
  }

  /**
   * Measures.
   *
   * @param arguments the folder of the task, where the run is written too
   */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    JavaProgram.endWithStarter();
    int status = 1;
    try {
      Path folder = Path.of(arguments[0]);
      new MemoryProgram(MemoryTask.read(folder), System.out).run().write(folder);
      status = 0;
    } catch (Exception | OutOfMemoryError e) {
      e.printStackTrace();
    }
    // Threads that libraries have left must not keep the process.
    System.exit(status);
  }

  private MemoryRun run() throws IOException {
    Path cephConf = task.cephConf().isEmpty() ? null : Path.of(task.cephConf());
    MemorySampler sampler;
    try (SparkSession spark = SparkSessions.local(CORES, cephConf)) {
      AskedTables.letDivisionsGiveNull(spark);
      spark.sparkContext().addSparkListener(shuffles);
      AskedTables tables =
          new AskedTables(
              spark,
              new org.apache.hadoop.fs.Path(task.directory()),
              task.tables(),
              new SparksQueries(Path.of(task.sparkTests()), task.suite()));
      for (String query : task.queries()) {
        warmUp(tables, query);
      }
      MemoryManager memory = SparkEnv.get().memoryManager();
      sampler =
          MemorySampler.start(
              new ProcessMemory(
                  () -> memory.offHeapExecutionMemoryUsed() + memory.offHeapStorageMemoryUsed()),
              INTERVAL);
      try (sampler) {
        for (String query : task.queries()) {
          measure(tables, query);
        }
      }
    }
    // The session has ended: Spark has told the listener everything.
    Map<String, QueryRun> answered = new LinkedHashMap<>();
    answers.forEach(
        (query, timed) ->
            answered.put(
                query,
                new QueryRun(
                    timed.answer.seconds(),
                    timed.collecting,
                    timed.answer.rows(),
                    shuffles.of(query))));
    return new MemoryRun(answered, failures, sampler.samples());
  }

  private void warmUp(AskedTables tables, String query) {
    System.gc();
    try {
      Answer answer = tables.ask(query);
      say("warm-up, query %s: %.2f s", query, answer.seconds());
    } catch (Exception | OutOfMemoryError e) {
      failed(query, e);
    }
  }

  private void measure(AskedTables tables, String query) {
    if (failures.containsKey(query)) {
      say("query %s failed before", query);
      return;
    }
    System.gc();
    shuffles.begin(query);
    double collected = collectorSeconds();
    try {
      Answer answer = tables.ask(query);
      answers.put(query, new Timed(answer, collectorSeconds() - collected));
      say("query %s: %.2f s, %d rows", query, answer.seconds(), answer.rows().size());
    } catch (Exception | OutOfMemoryError e) {
      // Spark throws exceptions, too, that its methods do not declare.
      failed(query, e);
    }
  }

  private void failed(String query, Throwable failure) {
    failures.put(query, Outcomes.reason(failure));
    say("query %s failed: %s", query, failures.get(query));
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static double collectorSeconds() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum()
        / 1e3;
  }
}
