// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.TpcdsTables;
import io.radosfs.workbench.TpchTables;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** A benchmark of queries: its tables are generated, its texts those of Spark's own tests. */
public enum QuerySuite {
  TPCH("tpch", List.of("5", "9", "13", "17", "18", "21"), TpchTables::new),
  TPCDS("tpcds", List.of("4", "23a", "64", "67", "78", "97"), TpcdsTables::new);

  /** How many tasks generate a table, and how many files it has. */
  private static final int GENERATORS = 4;

  private final String title;
  private final List<String> someOfMuchShuffle;
  private final Generator generator;

  private interface Generator {
    GeneratedTables of(SparkSession spark, double scale, int parts);
  }

  QuerySuite(String title, List<String> someOfMuchShuffle, Generator generator) {
    this.title = title;
    this.someOfMuchShuffle = someOfMuchShuffle;
    this.generator = generator;
  }

  public GeneratedTables tables(SparkSession spark, double scale) {
    return generator.of(spark, scale, GENERATORS);
  }

  /**
   * All of its queries.
   *
   * @param sparkTests the jar of Spark's tests
   */
  public SparksQueries queries(Path sparkTests) {
    return new SparksQueries(sparkTests, title);
  }

  /** Names of a few queries that join or group the largest tables, and so shuffle much. */
  public List<String> someOfMuchShuffle() {
    return someOfMuchShuffle;
  }

  /** As people type it; the name of its folder, too. */
  @Override
  public String toString() {
    return title;
  }
}
