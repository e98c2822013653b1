// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a directory. */
@Command(
    name = "mkdir",
    header = "Makes a directory.",
    description =
        "Makes a directory, and those above it that are missing. Does nothing if it is there.")
final class MkdirCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    try (FileSystem fs =
        FileSystem.newInstance(target.hadoopPath().toUri(), target.configuration())) {
      if (!fs.mkdirs(target.hadoopPath())) {
        throw new IOException("cannot make directory " + target);
      }
    }
    output.all(List.of(target.location().named()), out -> {});
    output.flush();
    return 0;
  }
}
