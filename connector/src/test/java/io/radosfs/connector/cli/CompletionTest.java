// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code radosfs completion}: what a real bash makes of it. */
class CompletionTest {

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
}
