// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
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
    })
public final class Radosfs {

  private static final List<Class<?>> VERBS =
      List.of(
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
          MkdirCommand.class,
          MvCommand.class,
          RmCommand.class,
          AdoptCommand.class,
          RestoreCommand.class,
          ExportCommand.class,
          LayoutCommand.class,
          JobsCommand.class,
          TopCommand.class,
          GcCommand.class,
          FsckCommand.class,
          CompletionCommand.class);

  /** Environment variable: print the stack trace of a failure. */
  private static final String TRACE = "RADOSFS_TRACE";

  /** As a shell tells of a program that SIGPIPE has ended. A JVM is not ended by it. */
  private static final int UNREAD = 128 + 13;

  /** What Hadoop before 3.5.0 fails with on Java 24 and later, whatever it is asked for. */
  private static final String GONE_FROM_JAVA = "getSubject is not supported";

  /**
   * Where the output of a command goes. Java cannot tell, so {@code scripts/radosfs} sets system
   * properties.
   *
   * @param terminal whether stderr is a terminal, on which progress is shown
   * @param screen whether stdout is a terminal
   * @param pipe whether stdout is a pipe: who cannot write to it has lost its reader
   */
  record Console(boolean terminal, boolean screen, boolean pipe) {

    /** Files, or what is like them. */
    static final Console NONE = new Console(false, false, false);

    static Console ofProcess() {
      return new Console(
          Boolean.getBoolean("radosfs.terminal"),
          Boolean.getBoolean("radosfs.screen"),
          Boolean.getBoolean("radosfs.pipe"));
    }
  }

  private final Console console;

  private Radosfs(Console console) {
    this.console = console;
  }

  public static void main(String[] args) {
    System.exit(
        run(
            new PrintWriter(System.out, true),
            new PrintWriter(System.err, true),
            Console.ofProcess(),
            args));
  }

  /**
   * Runs one command.
   *
   * @return 0 if it succeeded, 1 if it failed, 2 if it was not understood; for 3 see `fsck --help`;
   *     141 if nobody reads the pipe that the output goes to
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(out, err, Console.NONE, args);
  }

  /** The same, with what {@code out} and {@code err} are. */
  static int run(PrintWriter out, PrintWriter err, Console console, String... args) {
    int status = execute(out, err, console, args);
    // A writer keeps its errors to itself.
    boolean failed = out.checkError();
    if (status != UNREAD && (!failed || status != CommandLine.ExitCode.OK)) {
      return status;
    }
    if (console.pipe()) {
      return UNREAD;
    }
    err.println("radosfs: " + new Output.NotWrittenException().getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static int execute(PrintWriter out, PrintWriter err, Console console, String... args) {
    return commandLine(console, args)
        .setOut(out)
        .setErr(err)
        .setExecutionStrategy(Radosfs::withinMemory)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (failure instanceof Output.NotWrittenException) {
                return UNREAD;
              }
              err.println("radosfs: " + message(failure));
              if (System.getenv(TRACE) != null) {
                failure.printStackTrace(err);
              }
              return command.getCommandSpec().exitCodeOnExecutionException();
            })
        .execute(args);
  }

  /**
   * What is out of memory has failed as by any exception: it is told, and has the verb's status.
   */
  private static int withinMemory(ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (OutOfMemoryError e) {
      List<CommandLine> verbs = parsed.asCommandLineList();
      throw new CommandLine.ExecutionException(
          verbs.get(verbs.size() - 1),
          "",
          new IOException(
              "out of memory ("
                  + e.getMessage()
                  + "), so it was not finished. Give Java more: RADOSFS_JAVA_OPTS=-Xmx8g",
              e));
    }
  }

  /** All verbs and their options. */
  static CommandLine commandLine(boolean terminal) {
    return commandLine(new Console(terminal, /* screen= */ false, /* pipe= */ false));
  }

  /**
   * The verb that comes first, or all verbs where none does: for what concerns them all, such as
   * the help, or a verb that is mistyped. To look at the options of every verb takes a quarter of
   * the time of a short command.
   */
  private static CommandLine commandLine(Console console, String... args) {
    CommandLine line = new CommandLine(new Radosfs(console));
    List<Class<?>> named =
        VERBS.stream().filter(verb -> args.length > 0 && name(verb).equals(args[0])).toList();
    (named.isEmpty() ? VERBS : named).forEach(line::addSubcommand);
    return line;
  }

  private static String name(Class<?> verb) {
    return verb.getAnnotation(Command.class).name();
  }

  /** What a verb was called by. */
  static Radosfs of(CommandSpec verb) {
    return (Radosfs) verb.root().userObject();
  }

  /** Whether stderr is a terminal. */
  boolean terminal() {
    return console.terminal();
  }

  /** Whether stdout is a terminal. */
  boolean screen() {
    return console.screen();
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
