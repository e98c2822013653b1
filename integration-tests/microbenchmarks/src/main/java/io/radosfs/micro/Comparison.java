// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sets the results of two commits against each other, which were measured in turns. */
@Command(name = "compare", mixinStandardHelpOptions = true)
public final class Comparison implements Callable<Integer> {

  @Option(names = "--before", required = true, description = "results of one commit, a run each")
  private List<Path> before;

  @Option(names = "--after", required = true, description = "those of the other, in as many runs")
  private List<Path> after;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Comparison()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    print(read(before), read(after), new PrintStream(System.out, true, StandardCharsets.UTF_8));
    return CommandLine.ExitCode.OK;
  }

  private static List<Results> read(List<Path> files) throws IOException {
    List<Results> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(Results.read(file));
    }
    return runs;
  }

  /**
   * Prints for each benchmark the medians, and the median and the range of the ratios of each turn.
   *
   * @throws IllegalArgumentException if one commit was measured more often than the other
   */
  static void print(List<Results> before, List<Results> after, PrintStream out) {
    if (before.size() != after.size()) {
      throw new IllegalArgumentException(
          before.size() + " runs before, " + after.size() + " after");
    }
    SortedSet<String> both = new TreeSet<>(inAll(before));
    both.retainAll(inAll(after));
    out.printf(
        "%-40s %14s %14s %8s  %s%n", "microseconds a call", "before", "after", "ratio", "range");
    for (String name : both) {
      List<Double> ratios = new ArrayList<>();
      for (int turn = 0; turn < before.size(); turn++) {
        ratios.add(after.get(turn).scores().get(name) / before.get(turn).scores().get(name));
      }
      out.printf(
          "%-40s %14.2f %14.2f %8.2f  %.2f–%.2f%n",
          name,
          median(scores(before, name)),
          median(scores(after, name)),
          median(ratios),
          ratios.stream().mapToDouble(ratio -> ratio).min().orElseThrow(),
          ratios.stream().mapToDouble(ratio -> ratio).max().orElseThrow());
    }
    only(before, both, "before", out);
    only(after, both, "after", out);
  }

  private static void only(
      List<Results> runs, SortedSet<String> both, String when, PrintStream out) {
    SortedSet<String> others = new TreeSet<>(inAll(runs));
    others.removeAll(both);
    others.forEach(name -> out.printf("%-40s only %s%n", name, when));
  }

  private static SortedSet<String> inAll(List<Results> runs) {
    SortedSet<String> names = new TreeSet<>(runs.get(0).scores().keySet());
    runs.forEach(run -> names.retainAll(run.scores().keySet()));
    return names;
  }

  private static List<Double> scores(List<Results> runs, String name) {
    return runs.stream().map(run -> run.scores().get(name)).toList();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
