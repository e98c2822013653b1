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
  }

  /** Prints a result that is for programs alone, as an object in either form. */
  void object(Fields fields) {
    progress.clear();
    spec.commandLine().getOut().println(line(fields));
  }

  /** Prints results that are one table for people. */
  void all(List<Fields> each, Consumer<PrintWriter> table) {
    if (json) {
      each.forEach(fields -> result(() -> fields, () -> ""));
    } else {
      text(table);
    }
  }

  /** Prints what has no place among objects: heads and totals of tables. */
  void text(Consumer<PrintWriter> text) {
    if (!json) {
      progress.clear();
      text.accept(spec.commandLine().getOut());
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
