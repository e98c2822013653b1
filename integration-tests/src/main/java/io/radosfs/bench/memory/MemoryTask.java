// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process is to measure, as a file that it reads.
 *
 * @param cephConf empty where the tables are on no cluster
 * @param directory of the tables
 * @param tables their names
 * @param sparkTests the jar of Spark's tests
 * @param suite the queries' folder in that jar
 * @param queries their names
 */
public record MemoryTask(
    String cephConf,
    String directory,
    List<String> tables,
    String sparkTests,
    String suite,
    List<String> queries) {

  private static final String FILE = "task.json";

  public MemoryTask {
    tables = List.copyOf(tables);
    queries = List.copyOf(queries);
  }

  /** Reads that of a folder. */
  public static MemoryTask read(Path folder) throws IOException {
    return new ObjectMapper().readValue(folder.resolve(FILE).toFile(), MemoryTask.class);
  }

  /** Puts it into a folder. */
  public void write(Path folder) throws IOException {
    new ObjectMapper().writeValue(folder.resolve(FILE).toFile(), this);
  }
}
