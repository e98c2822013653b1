// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Each command that a page shows is run by a test: by one that names the page, and either the
 * section whose commands of this program it takes, or how the command begins.
 */
class CommandsTest {

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:[A-Z_]+=\\S+ )?(?:\\S+ \\S+ \\* \\* \\S+ )?"
              + "((?:ceph|rados|radosfs|hadoop|hdfs|pyspark|spark-\\w+|mvn|python3|pip|apt-get|mkdir|source"
              + "|export|scripts/\\w[\\w-]*) .*|scripts/\\w[\\w-]*)");

  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

  /** What the integration tests' class of that name takes of a section. */
  private static final Set<String> OF_PAGE_COMMANDS =
      Set.of("ceph", "rados", "radosfs", "scripts/radosfs");

  /** How commands begin that no test can run, after their page, and why. */
  private static final Map<String, String> NOT_RUN =
      Map.ofEntries(
          entry("CONTRIBUTING.md scripts/test", "runs the tests themselves"),
          entry("CONTRIBUTING.md mvn", "builds, and runs the tests themselves"),
          entry("integration-tests/contract-tests/README.md mvn", "runs the tests themselves"),
          entry("README.md scripts/test", "runs the tests themselves"),
          entry("README.md scripts/demo", "installs packages; DemoTest runs what it starts"),
          entry(
              "connector/docs/benchmarks.md scripts/",
              "hours of measuring on a quiet machine; tests run its parts"));

  private record Command(String page, String section, String text) {
    @Override
    public String toString() {
      return page + ", " + section + ": " + text;
    }

    private String program() {
      return text.split(" ")[0];
    }

    /** Whether this is how it begins: a program alone may be any command. */
    private boolean beginsWith(String literal) {
      return literal.strip().contains(" ") && text.startsWith(literal);
    }
  }

  /** The texts of a test, or of what a test is made of. */
  private record Source(Set<String> literals, String text) {
    private boolean claims(Command command) {
      return text.contains(command.page())
          && (literals.contains(command.section()) && takes(command.program())
              || literals.stream().anyMatch(command::beginsWith));
    }

    private boolean takes(String program) {
      return literals.contains(program)
          || text.contains("PageCommands.of(") && OF_PAGE_COMMANDS.contains(program);
    }
  }

  @Test
  void eachIsRunByATest() throws IOException {
    List<Source> sources = sources();
    List<Command> commands = commands();
    assertThat(commands).hasSizeGreaterThan(80);
    Set<String> notRun = new HashSet<>();
    List<Command> unclaimed = new ArrayList<>();
    for (Command command : commands) {
      List<String> reasons =
          NOT_RUN.keySet().stream()
              .filter(begin -> (command.page() + " " + command.text()).startsWith(begin))
              .toList();
      notRun.addAll(reasons);
      if (reasons.isEmpty() && sources.stream().noneMatch(source -> source.claims(command))) {
        unclaimed.add(command);
      }
    }
    assertThat(unclaimed).as("commands that no test runs").isEmpty();
    assertThat(notRun).as("no other reasons than are needed").isEqualTo(NOT_RUN.keySet());
  }

  private static List<Source> sources() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (Path file : Repository.files(".java", ".py")) {
      String path = Repository.top().relativize(file).toString();
      if (path.contains("src/test/") && !path.endsWith("/CommandsTest.java")) {
        String text = Files.readString(file);
        sources.add(
            new Source(
                LITERAL
                    .matcher(text)
                    .results()
                    .map(literal -> literal.group(1))
                    .collect(Collectors.toSet()),
                text));
      }
    }
    return sources;
  }

  private static List<Command> commands() throws IOException {
    List<Command> commands = new ArrayList<>();
    for (Path file : Repository.files(".md")) {
      String page = Repository.top().relativize(file).toString();
      String section = "";
      boolean fenced = false;
      for (String line : Files.readString(file).replaceAll("\\\\\n +", "").split("\n")) {
        if (line.startsWith("```")) {
          fenced = !fenced;
        } else if (!fenced && line.matches("##? .*")) {
          section = line.replaceFirst("##? ", "");
        } else if (fenced || line.startsWith("    ")) {
          Matcher command = COMMAND.matcher(line.strip());
          if (command.matches()) {
            commands.add(new Command(page, section, command.group(1)));
          }
        }
      }
    }
    return commands;
  }
}
