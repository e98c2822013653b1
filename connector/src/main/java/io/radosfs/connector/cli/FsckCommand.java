// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ShellLine;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares all objects of the pools with what the index and the ledgers lead to. */
@Command(
    name = "fsck",
    header = "Compares all objects with what leads to them.",
    description =
        "Compares all objects of the file system's pools (in its namespace) with the whole index,"
            + " all ledgers and job records, and reports what does not match. Changes nothing."
            + " What is unfinished, such as a file that is being written, is not wrong; --notes"
            + " lists it.",
    exitCodeOnExecutionException = FsckCommand.NOT_CHECKED,
    exitCodeList = {
      "0:nothing is wrong",
      "1:something is wrong, or cannot be understood",
      "2:the command line was not understood",
      "3:nothing wrong was found, but not all was checked: the cluster did not answer, or refused,"
          + " or another file system has data in the same namespace of a pool"
    })
final class FsckCommand implements Callable<Integer> {

  static final int NOT_CHECKED = 3;

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = "--data",
      description =
          "Check length and content of every object too: one read each, in which an OSD reads the"
              + " object and takes its CRC-32C. No data crosses the network.")
  private boolean data;

  @Option(names = "--notes", description = "List what is unfinished.")
  private boolean notes;

  @Override
  public Integer call() throws IOException {
    PoolInspector.Result result;
    try (Mount mount = Mount.openExisting(target.wholeFileSystem(), target.configuration());
        ProgressLine progress = output.showing("fsck", new OperationCount(mount))) {
      result = mount.check().run(data);
    }
    result.findings().forEach(this::print);
    result
        .unchecked()
        .forEach(
            what ->
                output.result(
                    () -> new Fields().with("type", "unchecked").with("detail", what),
                    () -> "not checked: " + what));
    if (notes) {
      result
          .notes()
          .forEach(
              note ->
                  output.result(
                      () -> new Fields().with("type", "note").with("detail", note), () -> note));
    }
    output.print(() -> summary(result), out -> printSummary(result, out));
    output.flush();
    if (!result.findings().isEmpty()) {
      return 1;
    }
    return result.unchecked().isEmpty() ? 0 : NOT_CHECKED;
  }

  private void print(Finding finding) {
    output.print(
        () ->
            new Fields()
                .with("type", "finding")
                .with("kind", finding.kind().toString())
                .with("subject", finding.subject())
                .with("detail", finding.detail()),
        out -> {
          out.println(finding);
          if (finding.kind() == Finding.Kind.LEAK && ObjectNames.isJob(finding.subject())) {
            out.println(howToRemove(finding.subject()));
          }
        });
  }

  private static Fields summary(PoolInspector.Result result) {
    return new Fields()
        .with("type", "summary")
        .with("objects", result.objects())
        .with("directories", result.directories())
        .with("files", result.files())
        .with("wrong", result.findings().size())
        .with("unfinished", result.notes().size())
        .with("notChecked", result.unchecked().size())
        .with("replacedFiles", result.kept().files())
        .with("replacedBytes", result.kept().bytes());
  }

  private void printSummary(PoolInspector.Result result, PrintWriter out) {
    if (result.kept().files() > 0) {
      out.printf(
          "%d replaced files, %s, are kept for readers that have them open%n",
          result.kept().files(), sizes.inWords(result.kept().bytes()));
    }
    out.printf(
        "%d objects, %d directories, %d files: %d wrong, %d unfinished%s%n",
        result.objects(),
        result.directories(),
        result.files(),
        result.findings().size(),
        result.notes().size(),
        result.unchecked().isEmpty() ? "" : ", " + result.unchecked().size() + " not checked");
  }

  /** Refused by {@code jobs abort} as long as the driver may go on. */
  private String howToRemove(String record) {
    return "  it is the record of a job whose driver was taken for dead while it set the job up,"
        + " and made the record after that; to remove it: "
        + ShellLine.of(
            List.of(
                "radosfs",
                "jobs",
                "abort",
                target.authority().toString() + ObjectNames.destinationOf(record),
                ObjectNames.jobOf(record)));
  }
}
