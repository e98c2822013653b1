// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The tables of a benchmark, which Spark's tasks generate: the same rows each time. */
public interface GeneratedTables {

  /** Sorted. */
  List<String> names();

  /** A table's rows, in their order. */
  Dataset<Row> table(String name);
}
