// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.radosfs.connector.docs.PageSection;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code radosfs completion}: what a real bash makes of it, and a real zsh. */
class CompletionTest {

  /**
   * Types into a zsh on a terminal of its own. What zsh would offer is written to a file instead:
   * TAB adds it, and the key after it a line that ends it.
   */
  private static final String TYPING =
      """
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'source ./script
        compadd() { local -a found; builtin compadd -O found "$@"; print -r -- $found >>offered }
        next() { print "====" >>offered; BUFFER="" }
        leave() { BUFFER="print by""e"; zle accept-line }
        zle -N next; bindkey "^T" next; zle -N leave; bindkey "^Y" leave; print read""y'
      zpty -r -m shell said '*ready*'
      for line; do zpty -w -n shell "$line"$'\\t\\x14'; done
      zpty -w -n shell $'\\x19'
      zpty -r -m shell said '*bye*'
      """;

  @TempDir Path here;

  @BeforeEach
  void writeScript() throws IOException {
    Ran ran = Ran.of(new Configuration(false), "completion");
    assertThat(ran.status()).as(ran.err()).isZero();
    Files.writeString(here.resolve("script"), ran.out());
  }

  /**
   * What bash offers for the last word, as when TAB is pressed: by the function that the script has
   * registered, with the words as bash hands them to it.
   */
  private List<String> offered(String... words) throws IOException, InterruptedException {
    String typed =
        "source ./script; "
            + "function=$(complete -p radosfs | sed 's/.* -F \\([^ ]*\\) .*/\\1/'); "
            + "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"; COMP_POINT=${#COMP_LINE}; "
            + "\"$function\" radosfs \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; "
            + "printf '%s\\n' \"${COMPREPLY[@]}\"";
    ProcessBuilder bash =
        new ProcessBuilder("bash", "--norc", "--noprofile", "-c", typed, "bash", "radosfs");
    bash.command().addAll(List.of(words));
    // compopt says that it is not called for a completion, which is true.
    bash.directory(here.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = bash.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out.lines().filter(line -> !line.isBlank()).toList();
  }

  /** As it is put into ~/.bashrc, and where bash-completion looks. */
  @Test
  void thePagesLinesLoadIt() throws IOException, InterruptedException {
    List<String> lines =
        PageSection.of("connector/docs/command-line.md", "Completion")
            .commands("source", "radosfs");
    assertThat(lines).hasSize(2);
    Path completions =
        Files.createDirectories(here.resolve(".local/share/bash-completion/completions"));
    String typed =
        "radosfs() { [ \"$*\" = completion ] && cat script; }\n"
            + String.join("\n", lines)
            + "\ncomplete -p radosfs";
    ProcessBuilder bash = new ProcessBuilder("bash", "--norc", "--noprofile", "-c", typed);
    bash.environment().put("HOME", here.toString());
    Process process = bash.directory(here.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out).contains(" -F ");
    assertThat(completions.resolve("radosfs")).hasSameContentAs(here.resolve("script"));
  }

  @Test
  void offersVerbs() throws IOException, InterruptedException {
    assertThat(offered("")).contains("ls", "jobs", "completion", "fsck").doesNotContain("list");
    assertThat(offered("fs")).containsExactly("fsck");
    assertThat(offered("jobs", "re")).containsExactly("recover");
  }

  @Test
  void offersOptions() throws IOException, InterruptedException {
    assertThat(offered("fsck", "--d")).containsExactly("--data");
    assertThat(offered("find", "--l")).containsExactlyInAnyOrder("--larger-than", "--long");
    assertThat(offered("ls", "--js")).containsExactly("--json");
  }

  @Test
  void offersFilesWhereTheyAreMeant() throws IOException, InterruptedException {
    Files.writeString(here.resolve("report.csv"), "1");
    assertThat(offered("put", "rep")).containsExactly("report.csv");
    assertThat(offered("get", "rados://lake/f", "rep")).containsExactly("report.csv");
    assertThat(offered("ls", "rep")).isEmpty();
  }

  /** By TAB, where zsh is. */
  @Test
  void zshOffersTheSame() throws IOException, InterruptedException {
    assumeThat(hasZsh()).as("zsh is installed: scripts/test installs it").isTrue();
    Files.writeString(here.resolve("report.csv"), "1");
    List<String> typed =
        List.of(
            "radosfs ",
            "radosfs fs",
            "radosfs jobs re",
            "radosfs find --l",
            "radosfs ls --js",
            "radosfs put rep",
            "radosfs get rados://lake/f rep");
    ProcessBuilder zsh = new ProcessBuilder("zsh", "-f", "-c", TYPING, "zsh");
    zsh.command().addAll(typed);
    zsh.environment().put("ZDOTDIR", here.toString());
    Path said = here.resolve("said");
    Process process =
        zsh.directory(here.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    assertThat(ended).as(Files.readString(said)).isTrue();
    List<Set<String>> offered = new ArrayList<>();
    for (String answer : Files.readString(here.resolve("offered")).split("====", -1)) {
      offered.add(new TreeSet<>(List.of(answer.strip().split("\\s+"))));
    }
    assertThat(offered).hasSize(typed.size() + 1);
    assertThat(offered.get(0)).contains("ls", "jobs", "completion", "fsck").doesNotContain("list");
    assertThat(offered.subList(1, typed.size()))
        .containsExactly(
            Set.of("fsck"),
            Set.of("recover"),
            Set.of("--larger-than", "--long"),
            Set.of("--json"),
            Set.of("report.csv"),
            Set.of("report.csv"));
  }

  private static boolean hasZsh() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "zsh")));
  }
}
