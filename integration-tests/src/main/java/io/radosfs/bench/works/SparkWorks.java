// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.paper.PaperData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import org.apache.spark.sql.SparkSession;

/** The works of the part {@code spark} that write. */
public final class SparkWorks {

  public static final int LARGE_MIB = 512;
  public static final int LARGE_FILES = 16;
  public static final String LARGE = LARGE_MIB + " MiB in " + LARGE_FILES + " files";

  private static final List<Format> FORMATS =
      List.of(Format.TEXT, Format.JSON, Format.ORC, Format.PARQUET);

  private static final int FORMAT_MIB = 64;

  /**
   * Written in a third of a second, which differs by a third from one round to the next: five such
   * rounds had medians of 1.0 to 1.2 times the local disk, on the same machine within the hour.
   */
  private static final int TURNS_OF_A_FORMAT = 5;

  private static final int FILES = 1_000;
  private static final int MANY_FILES = 10_000;
  private static final int PARTITIONS = 200;
  private static final int TASKS_OF_PARTITIONS = 4;

  /** What commitJob of many files may take. */
  private static final double COMMIT_SECONDS = 1;

  private static final int ROUNDS = 5;
  private static final int SHORT_ROUNDS = 2;

  private static final int SECONDS_OF_LARGE = 4;
  private static final int SECONDS_OF_FORMAT = 1;
  private static final int FILES_A_SECOND = 50;
  private static final int SECONDS_OF_PARTITIONS = 20;

  private final SparkSession spark;
  private final JobData data;

  private SparkWorks(SparkSession spark) {
    this.spark = spark;
    this.data = new JobData(spark);
  }

  /** All of them; what takes minutes comes last. */
  public static List<SparkWork> whole(SparkSession spark) {
    SparkWorks works = new SparkWorks(spark);
    List<SparkWork> all = works.quick();
    all.add(works.files(FILES, ROUNDS, true, OptionalDouble.of(COMMIT_SECONDS)));
    all.add(works.partitions(ROUNDS));
    // Without a round to warm up: the fewer files have done that.
    all.add(works.files(MANY_FILES, 1, false, OptionalDouble.empty()));
    return all;
  }

  /** Those of less than a minute, and fewer rounds of what takes long. */
  public static List<SparkWork> inShort(SparkSession spark) {
    SparkWorks works = new SparkWorks(spark);
    List<SparkWork> all = works.quick();
    all.add(works.files(FILES, SHORT_ROUNDS, true, OptionalDouble.of(COMMIT_SECONDS)));
    all.add(works.partitions(SHORT_ROUNDS));
    return all;
  }

  private static IntUnaryOperator atMost(int rounds) {
    return wanted -> Math.min(wanted, rounds);
  }

  private List<SparkWork> quick() {
    List<SparkWork> works = new ArrayList<>();
    works.add(large());
    FORMATS.forEach(format -> works.add(format(format)));
    return works;
  }

  private SparkWork large() {
    WorkStep write =
        new WorkStep(
            LARGE,
            WorkGoals.LARGE,
            directory ->
                data.incompressible(LARGE_MIB, LARGE_FILES).write().parquet(directory.toString()));
    return new SparkWork(
        LARGE, wanted -> wanted, true, SECONDS_OF_LARGE, () -> new PreparedWork(write));
  }

  /** Of rows that are cached for it alone: what the others write has the memory to itself. */
  private SparkWork format(Format format) {
    String name = String.format(Locale.ROOT, "%d MiB as %s, one task", FORMAT_MIB, format.title());
    return new SparkWork(
        name,
        wanted -> TURNS_OF_A_FORMAT * wanted,
        true,
        SECONDS_OF_FORMAT,
        () -> {
          PaperData lines = new PaperData(spark, FORMAT_MIB);
          WorkStep write =
              new WorkStep(name, WorkGoals.FORMAT, directory -> lines.write(format, directory));
          return new PreparedWork(List.of(write), lines::close);
        });
  }

  private SparkWork files(int count, int rounds, boolean warmsUp, OptionalDouble commitSeconds) {
    String name = String.format(Locale.ROOT, "%,d files", count);
    WorkStep write =
        new WorkStep(
            name,
            WorkGoals.FILES,
            commitSeconds,
            directory -> data.small(count).write().parquet(directory.toString()));
    return new SparkWork(
        name, atMost(rounds), warmsUp, count / FILES_A_SECOND, () -> new PreparedWork(write));
  }

  /** Each of four tasks writes a file to each partition; then all of that is replaced. */
  private SparkWork partitions(int rounds) {
    String name = String.format(Locale.ROOT, "%,d partitions", PARTITIONS);
    WorkStep write =
        new WorkStep(
            name,
            WorkGoals.PARTITIONS,
            directory ->
                data.partitioned(PARTITIONS, TASKS_OF_PARTITIONS)
                    .write()
                    .partitionBy(JobData.PARTITION)
                    .parquet(directory.toString()));
    WorkStep overwrite =
        new WorkStep(
            name + ", dynamic overwrite",
            WorkGoals.PARTITIONS,
            directory ->
                JobData.write(
                    data.partitioned(PARTITIONS, TASKS_OF_PARTITIONS), directory, JobData.DYNAMIC));
    return new SparkWork(
        name,
        atMost(rounds),
        true,
        SECONDS_OF_PARTITIONS,
        () -> new PreparedWork(write, overwrite));
  }
}
