// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes a file or directory. */
@Command(
    name = "rm",
    header = "Removes a file or directory.",
    description =
        "Removes a file, or a directory that is empty; with --recursive a directory with all that is"
            + " in it, from the leaves up. It is not kept: `restore` knows of replaced files alone."
            + " Jobs that write into it fail.")
final class RmCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Option(
      names = {"-r", "--recursive"},
      description = "Remove a directory with all that is in it.")
  private boolean recursive;

  @Override
  public Integer call() throws IOException {
    if (target.path().isRoot()) {
      throw new PathIOException(
          target.toString(), "rm: that is the whole file system: name what is in it");
    }
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("rm", new OperationCount(mount))) {
      if (!mount.namespace().delete(target.path(), recursive)) {
        throw Missing.at(target.location());
      }
    } catch (PathIsNotEmptyDirectoryException e) {
      PathIOException notEmpty =
          new PathIOException(
              target.toString(), "rm: there is something in it: --recursive removes that too");
      notEmpty.initCause(e);
      throw notEmpty;
    }
    output.all(List.of(target.location().named()), out -> {});
    output.flush();
    return 0;
  }
}
