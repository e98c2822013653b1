// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Something that an executor is told to do, as a line of JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RunTasks.class, name = "run tasks"),
  @JsonSubTypes.Type(value = MakeFiles.class, name = "make files"),
  @JsonSubTypes.Type(value = WriteOmap.class, name = "write omap")
})
public sealed interface Order permits RunTasks, MakeFiles, WriteOmap {

  /**
   * Does it to its end.
   *
   * @param configuration leads to the cluster
   */
  WorkerAnswer run(Configuration configuration) throws IOException;
}
