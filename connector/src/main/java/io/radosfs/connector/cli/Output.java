// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a verb prints its results: as text for people or, with {@code --json}, each as an object in a
 * line of its own. What is no result goes to stderr.
 */
final class Output {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--json",
      description =
          "Print each result as a JSON object, in a line of its own. Sizes are numbers of bytes,"
              + " times are in UTC.")
  private boolean json;

  private ObjectMapper mapper;
  private ProgressLine progress = ProgressLine.NONE;
  private boolean endsUnread;

  /**
   * The verb ends as soon as what it prints cannot be written, such as to a pipe that nobody reads
   * any more. For verbs that change nothing.
   */
  void endUnread() {
    endsUnread = true;
  }

  /** Ends a verb that only prints, as that cannot be written any more. */
  static final class NotWrittenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotWrittenException() {
      super("what was printed could not be written, or not all of it");
    }
  }

  private void printed(PrintWriter out) {
    if (endsUnread && out.checkError()) {
      throw new NotWrittenException();
    }
  }

  /** Shows, on a terminal, how far the verb has come, until that is closed. */
  ProgressLine showing(String verb, Supplier<String> state) {
    progress =
        ProgressLine.of(
            spec.commandLine().getErr(), Radosfs.of(spec).terminal(), verb + ": ", state);
    return progress;
  }

  /** Prints a result in one of the two forms. */
  void result(Supplier<Fields> fields, Supplier<String> text) {
    print(fields, out -> out.println(text.get()));
  }

  /** The same as {@link #result}, for a text of several lines. */
  void print(Supplier<Fields> fields, Consumer<PrintWriter> text) {
    progress.clear();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(line(fields.get()));
    } else {
      text.accept(out);
    }
    printed(out);
  }

  /** Prints a result that is for programs alone, as an object in either form. */
  void object(Fields fields) {
    progress.clear();
    PrintWriter out = spec.commandLine().getOut();
    out.println(line(fields));
    printed(out);
  }

  /** Prints results that are one table for people. */
  void all(List<Fields> each, Consumer<PrintWriter> table) {
    if (json) {
      progress.clear();
      PrintWriter out = spec.commandLine().getOut();
      each.forEach(fields -> out.println(line(fields)));
      printed(out);
    } else {
      text(table);
    }
  }

  /** Prints what has no place among objects: heads and totals of tables. */
  void text(Consumer<PrintWriter> text) {
    if (!json) {
      progress.clear();
      PrintWriter out = spec.commandLine().getOut();
      text.accept(out);
      printed(out);
    }
  }

  /** Tells of what is no result, on stderr. */
  void warn(String text) {
    progress.clear();
    spec.commandLine().getErr().println("radosfs: " + text);
  }

  void flush() {
    spec.commandLine().getOut().flush();
  }

  private String line(Fields fields) {
    if (mapper == null) {
      mapper = new ObjectMapper();
    }
    try {
      return mapper.writeValueAsString(fields.values());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("fields are texts, numbers, lists and maps", e);
    }
  }
}
