// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Sets one new omap key after another, for some time, each by an operation that is guarded with
 * another key: as a task does with the record of its job, and the maker of a file with the index of
 * the directory. Nothing else is done.
 *
 * @param fileSystem whose index pool has the objects
 * @param together whether all write to one object; otherwise each writer has its own
 * @param firstWriter the number of the first of the writers
 */
public record WriteOmap(
    String fileSystem, boolean together, int firstWriter, int writers, double seconds)
    implements Order {

  private static final String GUARD = "s";
  private static final byte[] STATE = "RUNNING".getBytes(StandardCharsets.UTF_8);

  /** As long as the entry of a file. */
  private static final byte[] VALUE = "v".repeat(160).getBytes(StandardCharsets.UTF_8);

  @Override
  public WorkerAnswer run(Configuration configuration) throws IOException {
    Path root = new Path(fileSystem);
    RadosFileSystem rados = (RadosFileSystem) root.getFileSystem(configuration);
    ObjectStore store = rados.mount().index();
    String keys = "w/" + UUID.randomUUID() + "/";
    for (int writer = firstWriter; writer < firstWriter + writers; writer++) {
      store.write(object(writer), WriteOp.builder().setOmap(GUARD, STATE).build());
    }
    return Writers.run(
        firstWriter,
        writers,
        seconds,
        (writer, number) ->
            store.write(
                object(writer),
                WriteOp.builder()
                    .compareOmap(GUARD, STATE)
                    .setOmap(keys + writer + "/" + number, VALUE)
                    .build()));
  }

  private String object(int writer) {
    return together ? "omap" : "omap-" + writer;
  }
}
