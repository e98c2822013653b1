// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * The driver of a shuffle some of whose tasks wait, so that a test can take an executor away in the
 * midst of it. Each line that it is told is the name of a {@link Phase}, and a folder, where a task
 * that waits says so, and sees whether it may go on. The answer is the sum, and how many tasks
 * ended in which attempt of which stage, and how.
 */
public final class DecommissionedApp {

  /** Which tasks wait. */
  public enum Phase {
    /** The later ones of those that write the shuffle. */
    WRITE,
    /** Those that read it, once they have their data. */
    READ
  }

  /** Tasks that write the shuffle, and those that read it. */
  public static final int TASKS = 4;

  /** Begins the name of the file of a task that waits; its process and number follow. */
  public static final String WAITS = "waits-";

  /** The file that lets the tasks of a process go on; its id follows. */
  public static final String GO_PROCESS = "go-process-";

  /** The file that lets all go on. */
  public static final String GO = "go";

  private static final int NUMBERS = 4_000;
  private static final int KEYS = 100;
  private static final long POLL_MILLIS = 50;

  private DecommissionedApp() {}

  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate();
        Told told = new Told()) {
      told.answer(Told.DONE);
      told.answerEach(
          line -> {
            String[] words = line.split(" ");
            return sum(spark, Phase.valueOf(words[0]), words[1]);
          });
    }
  }

  /** What is answered where each task ran once. */
  public static String eachTaskOnce() {
    long sum = IntStream.range(0, NUMBERS).asLongStream().sum();
    return sum + " {write attempt 0 Success=" + TASKS + ", read attempt 0 Success=" + TASKS + "}";
  }

  private static String sum(SparkSession spark, Phase phase, String folder) {
    EndedTasks ended = new EndedTasks();
    spark.sparkContext().addSparkListener(ended);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<Integer> numbers = IntStream.range(0, NUMBERS).boxed().toList();
    // The first task of each executor does not wait: there is something to be moved.
    int waitingFrom = phase == Phase.WRITE ? TASKS / 2 : TASKS;
    FlatMapFunction<Iterator<Integer>, Integer> waitToWrite =
        all -> TaskContext.getPartitionId() < waitingFrom ? all : waiting(folder, all);
    FlatMapFunction<Iterator<Tuple2<Integer, Long>>, Tuple2<Integer, Long>> waitHavingRead =
        sums -> phase == Phase.READ ? waiting(folder, sums) : sums;
    try {
      long sum =
          context
              .parallelize(numbers, TASKS)
              .mapPartitions(waitToWrite)
              .mapToPair(number -> new Tuple2<>(number % KEYS, number.longValue()))
              .reduceByKey(Long::sum, TASKS)
              .mapPartitions(waitHavingRead)
              .map(Tuple2::_2)
              .reduce(Long::sum);
      return sum + " " + ended.await(spark);
    } catch (Exception e) {
      return e.toString();
    } finally {
      spark.sparkContext().removeSparkListener(ended);
    }
  }

  private static <T> Iterator<T> waiting(String name, Iterator<T> all)
      throws IOException, InterruptedException {
    Path folder = Path.of(name);
    long process = ProcessHandle.current().pid();
    Files.createFile(folder.resolve(WAITS + process + "-" + TaskContext.get().taskAttemptId()));
    while (!Files.exists(folder.resolve(GO_PROCESS + process))
        && !Files.exists(folder.resolve(GO))) {
      Thread.sleep(POLL_MILLIS);
    }
    return all;
  }

  /** Counts the tasks that have ended. */
  private static final class EndedTasks extends SparkListener {

    private final Map<String, Integer> counts = new TreeMap<>((a, b) -> b.compareTo(a));

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      String name = end.taskType().equals("ShuffleMapTask") ? "write" : "read";
      String how = end.reason().toString().replaceFirst("(?s)\\(.*", "");
      counts.merge(name + " attempt " + end.stageAttemptId() + " " + how, 1, Integer::sum);
    }

    /** What was counted, once Spark has told all that happened. */
    String await(SparkSession spark) throws Exception {
      spark.sparkContext().listenerBus().waitUntilEmpty();
      synchronized (this) {
        return counts.toString();
      }
    }
  }
}
