// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --help}. */
class HelpTest {

  private static List<CommandLine> all(CommandLine top) {
    List<CommandLine> found = new ArrayList<>(List.of(top));
    top.getSubcommands().values().forEach(verb -> found.addAll(all(verb)));
    return found;
  }

  private static List<CommandLine> verbs() {
    return all(Radosfs.commandLine(false)).stream()
        .filter(verb -> verb.getSubcommands().isEmpty())
        .toList();
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  /** Words that are too long for a line are broken too. */
  private static String solid(String text) {
    return text.replaceAll("\\s+", "");
  }

  /** picocli lists a verb with the first line of its header, or else of its description. */
  @Test
  void listsOfVerbsHaveWholeSentences() {
    for (CommandLine verb : all(Radosfs.commandLine(false))) {
      String help = oneLine(verb.getUsageMessage(Ansi.OFF));
      verb.getSubcommands()
          .forEach(
              (name, sub) -> {
                String[] header = sub.getCommandSpec().usageMessage().header();
                assertThat(header).as(name).hasSize(1);
                assertThat(header[0]).as(name).endsWith(".").hasSizeLessThan(70);
                assertThat(help).contains(name + " " + header[0]);
              });
    }
  }

  /** Lines that are broken in the source are broken again where the window ends. */
  @Test
  void textsAreWholeAndInOneParagraph() {
    for (CommandLine verb : all(Radosfs.commandLine(false))) {
      CommandSpec spec = verb.getCommandSpec();
      String help = oneLine(verb.getUsageMessage(Ansi.OFF));
      String name = spec.qualifiedName();
      if (spec.parent() != null) {
        assertThat(spec.usageMessage().description()).as(name).hasSize(1);
        assertThat(solid(help)).as(name).contains(solid(spec.usageMessage().description()[0]));
      }
      for (OptionSpec option : spec.options()) {
        assertThat(option.description()).as(name + option.longestName()).hasSize(1);
      }
    }
  }

  @Test
  void eachVerbTellsItsExitStatus() {
    for (CommandLine verb : verbs()) {
      assertThat(verb.getUsageMessage(Ansi.OFF))
          .as(verb.getCommandSpec().qualifiedName())
          .containsPattern("(?m)^Exit status:$")
          .containsPattern("(?m)^ +0 +\\w")
          .containsPattern("(?m)^ +1 +\\w")
          .containsPattern("(?m)^ +2 +the command line was not understood");
    }
  }

  /** All that a program may want to read. */
  @Test
  void eachVerbButTwoPrintsObjects() {
    Map<String, String> without =
        Map.of(
            "radosfs cat", "the bytes of the file are its only result",
            "radosfs completion", "a script of the shell is its only result");
    assertThat(verbs())
        .filteredOn(verb -> verb.getCommandSpec().findOption("--json") == null)
        .extracting(verb -> verb.getCommandSpec().qualifiedName())
        .containsExactlyInAnyOrderElementsOf(without.keySet());
  }

  /** A verb that is called is the only one that is made. Nobody who calls it sees that. */
  @Test
  void aVerbThatIsCalledHasTheHelpThatItHasAmongAll() {
    Radosfs.commandLine(false)
        .getSubcommands()
        .forEach(
            (name, among) -> {
              StringWriter out = new StringWriter();
              int status = Radosfs.run(new PrintWriter(out), new PrintWriter(out), name, "--help");
              assertThat(status).as(name).isZero();
              assertThat(out.toString()).isEqualTo(among.getUsageMessage());
            });
  }

  @Test
  void aMistypedVerbIsToldWithThoseThatAreLikeIt() {
    StringWriter err = new StringWriter();
    int status = Radosfs.run(new PrintWriter(err), new PrintWriter(err), "fsk", "rados://pool/");
    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("radosfs fsck");
  }
}
