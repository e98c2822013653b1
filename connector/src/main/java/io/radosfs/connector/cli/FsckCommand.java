// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.PoolInspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares all objects of the pools with what the index and the ledgers lead to. */
@Command(
    name = "fsck",
    description = {
      "Compares all objects of the file system's pools (in its namespace) with the whole index,",
      "all ledgers and job records, and reports what does not match. Changes nothing. What is",
      "unfinished, such as a file that is being written, is not wrong; --notes lists it."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeOnExecutionException = FsckCommand.NOT_CHECKED,
    exitCodeList = {
      "0: nothing is wrong",
      "1: something is wrong, or cannot be understood",
      "2: the command was not understood",
      "3: nothing wrong was found, but the cluster did not answer for all, or refused"
    })
final class FsckCommand implements Callable<Integer> {

  static final int NOT_CHECKED = 3;

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Option(
      names = "--data",
      description = {
        "Check length and content of every object too: one read each, in which an OSD",
        "reads the object and takes its CRC-32C. No data crosses the network."
      })
  private boolean data;

  @Option(names = "--notes", description = "List what is unfinished.")
  private boolean notes;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PoolInspector.Result result;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      result = mount.check().run(data);
    }
    result.findings().forEach(out::println);
    result.unchecked().forEach(what -> out.println("not checked: " + what));
    if (notes) {
      result.notes().forEach(out::println);
    }
    if (result.kept().files() > 0) {
      out.printf(
          "%d replaced files, %d bytes, are kept for readers that have them open%n",
          result.kept().files(), result.kept().bytes());
    }
    out.printf(
        "%d objects, %d directories, %d files: %d wrong, %d unfinished%s%n",
        result.objects(),
        result.directories(),
        result.files(),
        result.findings().size(),
        result.notes().size(),
        result.unchecked().isEmpty() ? "" : ", " + result.unchecked().size() + " not checked");
    out.flush();
    if (!result.findings().isEmpty()) {
      return 1;
    }
    return result.unchecked().isEmpty() ? 0 : NOT_CHECKED;
  }
}
