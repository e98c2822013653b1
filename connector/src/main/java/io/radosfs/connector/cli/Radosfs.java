// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code radosfs <verb>}. */
@Command(
    name = "radosfs",
    description = "Looks at and sets up rados:// file systems.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      FormatCommand.class,
      InfoCommand.class,
      StatCommand.class,
      ObjectsCommand.class,
      LayoutCommand.class,
      JobsCommand.class,
      GcCommand.class,
      FsckCommand.class,
    })
public final class Radosfs {

  /** Environment variable: print the stack trace of a failure. */
  private static final String TRACE = "RADOSFS_TRACE";

  private Radosfs() {}

  public static void main(String[] args) {
    System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
  }

  /**
   * Runs one command.
   *
   * @return 0 if it succeeded, 1 if it failed, 2 if it was not understood; for 3 see `fsck --help`
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Radosfs())
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              err.println("radosfs: " + message(failure));
              if (System.getenv(TRACE) != null) {
                failure.printStackTrace(err);
              }
              return command.getCommandSpec().exitCodeOnExecutionException();
            })
        .execute(args);
  }

  private static String message(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
