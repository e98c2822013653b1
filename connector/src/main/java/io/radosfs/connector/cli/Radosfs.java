// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;

/** {@code radosfs <verb>}. */
@Command(
    name = "radosfs",
    header = "Works with rados:// file systems from outside of Spark.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs, each with a --help of its own:%n",
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:it is done",
      "1:it failed, or not all of it could be done; stderr or the output says what",
      "2:the command line was not understood; nothing was done",
    },
    subcommands = {
      DoctorCommand.class,
      FormatCommand.class,
      InfoCommand.class,
      DfCommand.class,
      LsCommand.class,
      FindCommand.class,
      DuCommand.class,
      StatCommand.class,
      ObjectsCommand.class,
      CatCommand.class,
      GetCommand.class,
      PutCommand.class,
      AdoptCommand.class,
      RestoreCommand.class,
      ExportCommand.class,
      LayoutCommand.class,
      JobsCommand.class,
      TopCommand.class,
      GcCommand.class,
      FsckCommand.class,
      CompletionCommand.class,
    })
public final class Radosfs {

  /** Environment variable: print the stack trace of a failure. */
  private static final String TRACE = "RADOSFS_TRACE";

  /** System property that scripts/radosfs sets: stderr is a terminal, which Java cannot tell. */
  private static final String TERMINAL = "radosfs.terminal";

  /** The same of stdout. */
  private static final String SCREEN = "radosfs.screen";

  /** What Hadoop before 3.5.0 fails with on Java 24 and later, whatever it is asked for. */
  private static final String GONE_FROM_JAVA = "getSubject is not supported";

  private final boolean terminal;
  private final boolean screen;

  private Radosfs(boolean terminal, boolean screen) {
    this.terminal = terminal;
    this.screen = screen;
  }

  public static void main(String[] args) {
    System.exit(
        run(
            new PrintWriter(System.out, true),
            new PrintWriter(System.err, true),
            Boolean.getBoolean(TERMINAL),
            Boolean.getBoolean(SCREEN),
            args));
  }

  /**
   * Runs one command.
   *
   * @return 0 if it succeeded, 1 if it failed, 2 if it was not understood; for 3 see `fsck --help`
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(out, err, false, false, args);
  }

  /**
   * The same.
   *
   * @param terminal whether progress is shown on {@code err}
   * @param screen whether {@code out} is a terminal
   */
  static int run(
      PrintWriter out, PrintWriter err, boolean terminal, boolean screen, String... args) {
    int status = execute(out, err, terminal, screen, args);
    // A writer keeps its errors to itself.
    if (out.checkError() && status == CommandLine.ExitCode.OK) {
      err.println("radosfs: what was printed could not be written, or not all of it");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return status;
  }

  private static int execute(
      PrintWriter out, PrintWriter err, boolean terminal, boolean screen, String... args) {
    return new CommandLine(new Radosfs(terminal, screen))
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

  /** All verbs and their options. */
  static CommandLine commandLine(boolean terminal) {
    return new CommandLine(new Radosfs(terminal, /* screen= */ false));
  }

  /** What a verb was called by. */
  static Radosfs of(CommandSpec verb) {
    return (Radosfs) verb.root().userObject();
  }

  /** Whether stderr is a terminal. */
  boolean terminal() {
    return terminal;
  }

  /** Whether stdout is a terminal. */
  boolean screen() {
    return screen;
  }

  /** What an exception that ends a verb is told as. */
  static String message(Exception failure) {
    if (failure instanceof UnsupportedOperationException
        && GONE_FROM_JAVA.equals(failure.getMessage())) {
      return "Hadoop "
          + VersionInfo.getVersion()
          + " does not run on Java "
          + Runtime.version().feature()
          + " ("
          + GONE_FROM_JAVA
          + "): set JAVA_HOME to a JDK 17 or 21";
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
