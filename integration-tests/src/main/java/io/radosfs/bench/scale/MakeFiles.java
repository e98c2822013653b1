// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.io.IOException;
import java.io.OutputStream;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Makes files of a byte under new names, for some time.
 *
 * @param together whether all are made in that directory; otherwise each writer has one below it
 * @param firstWriter the number of the first of the writers
 */
public record MakeFiles(
    String directory, boolean together, int firstWriter, int writers, double seconds)
    implements Order {

  @Override
  public WorkerAnswer run(Configuration configuration) throws IOException {
    Path top = new Path(directory);
    FileSystem fileSystem = top.getFileSystem(configuration);
    // Others make files there too, and have before.
    String names = UUID.randomUUID() + "-";
    return Writers.run(
        firstWriter,
        writers,
        seconds,
        (writer, number) -> {
          Path parent = together ? top : new Path(top, "writer-" + writer);
          Path file = new Path(parent, names + writer + "-" + number);
          try (OutputStream stream = fileSystem.create(file)) {
            stream.write(1);
          }
        });
  }
}
