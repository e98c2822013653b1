// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.integration.tables.TableFormat;
import io.radosfs.workbench.SparkSessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A process that works on tables as it is told: {@code VERB FORMAT URI MORE...}, one answer to each
 * line.
 */
public final class TableClient {

  /** Commits that a process makes at the same time. */
  public static final int THREADS = 2;

  public static final int ROWS_OF_COMMIT = 10;

  private final SparkSession spark;

  private TableClient(SparkSession spark) {
    this.spark = spark;
  }

  /**
   * Works until there is nothing more to read.
   *
   * @param arguments the cluster's ceph.conf
   */
  public static void main(String[] arguments) throws Exception {
    try (SparkSession spark =
            SparkSessions.local(Integer.toString(THREADS), Path.of(arguments[0]));
        Told told = new Told()) {
      TableClient client = new TableClient(spark);
      told.answer("ready");
      told.answerEach(line -> client.work(line.split(" ", -1)));
    }
  }

  private String work(String[] words) throws Exception {
    TableFormat format = TableFormat.valueOf(words[1]);
    String uri = words[2];
    return switch (words[0]) {
      case "create" -> {
        format.create(spark, uri);
        yield "created";
      }
      case "append" -> append(format, uri, Long.parseLong(words[3]), Integer.parseInt(words[4]));
      case "read" -> read(format, uri);
      case "rewrite" -> {
        format.create(spark, words[3]);
        format.append(format.read(spark, uri), words[3]);
        yield "rewritten";
      }
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** Makes commits of rows with ids from that one on, several at a time. */
  private String append(TableFormat format, String uri, long from, int commits) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> appends = new ArrayList<>();
      for (int commit = 0; commit < commits; commit++) {
        long first = from + (long) commit * ROWS_OF_COMMIT;
        appends.add(
            threads.submit(
                () -> {
                  format.append(spark.range(first, first + ROWS_OF_COMMIT, 1, 1).toDF(), uri);
                  return null;
                }));
      }
      for (Future<?> append : appends) {
        append.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return "appended";
  }

  /** Number of rows, of ids, the ids' sum, number of commits and of conflicts. */
  private String read(TableFormat format, String uri) throws Exception {
    Row rows =
        format.read(spark, uri).selectExpr("count(*)", "count(DISTINCT id)", "sum(id)").first();
    TableFormat.History history = format.history(spark, uri);
    return rows.mkString(" ") + " " + history.commits() + " " + history.conflicts();
  }
}
