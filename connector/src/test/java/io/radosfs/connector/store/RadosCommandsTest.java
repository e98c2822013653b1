// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RadosCommandsTest {

  private static final RadosCommands TEAMS = new RadosCommands("lake", "team");

  @Test
  void poolAndNamespaceAreNamed() {
    assertThat(TEAMS.line("rm", "d/f")).isEqualTo("rados -p lake -N team rm d/f");
    assertThat(new RadosCommands("lake", "").line("rm", "d/f")).isEqualTo("rados -p lake rm d/f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "it's/",
        "a b",
        "$HOME",
        "`id`",
        "$(id)",
        "x'; id; '",
        "\"",
        "\\",
        "*",
        "~",
        "#",
        "a\nb",
        "ü"
      })
  void aShellReadsEachWordAsItIs(String name) throws IOException {
    assertThat(ShellWords.of(TEAMS.line("setomapval", name, "h", name)))
        .isEqualTo(List.of("rados", "-p", "lake", "-N", "team", "setomapval", name, "h", name));
  }

  /** The tool takes what follows for no option of its own. */
  @Test
  void aNameMayBeginAsAnOptionDoes() throws IOException {
    assertThat(ShellWords.of(TEAMS.line("rmomapkey", "-N/", "p/f")))
        .isEqualTo(List.of("rados", "-p", "lake", "-N", "team", "--", "rmomapkey", "-N/", "p/f"));
  }
}
