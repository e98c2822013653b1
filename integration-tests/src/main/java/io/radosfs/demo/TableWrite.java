// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import io.radosfs.workbench.Counters;
import io.radosfs.workbench.WriteMetrics;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * One write of a table, as it is to be and as it was.
 *
 * @param partitionColumn the column that names the directories; empty for a single directory
 */
record TableWrite(String table, String format, Optional<String> partitionColumn, Path directory) {

  String title() {
    return table
        + " as "
        + (format.equals("orc") ? "ORC" : "Parquet")
        + partitionColumn.map(column -> " by " + column).orElse("");
  }

  /**
   * What was measured of it.
   *
   * @param jobMillis from the call to its return: generating, writing and committing
   * @param counters what the file system counted meanwhile
   * @param report the committer's own
   */
  record Result(
      TableWrite write,
      long jobMillis,
      WriteMetrics.Write spark,
      Counters counters,
      Optional<DemoSuccess> report) {}
}
