// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.docs.PageSection;
import io.radosfs.integration.ceph.CephCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the commands of a page as they stand there: indented lines of {@code ceph}, {@code rados}
 * and {@code radosfs}.
 *
 * @param settings of radosfs, as {@code -Dkey=value}
 */
public record PageCommands(CephCluster ceph, List<String> settings) {

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  /** With the key that the cluster's conf leads to. */
  public static PageCommands asAdmin(CephCluster ceph) {
    return new PageCommands(ceph, List.of("-Dfs.rados.ceph.conf=" + ceph.conf()));
  }

  /** The commands of a section of the second level, or of a page's beginning, in their order. */
  public static List<String> of(String page, String section) {
    return PageSection.of(page, section).commands("ceph", "rados", "radosfs", "scripts/radosfs");
  }

  /** The words of a command, as a shell sees them. */
  public static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words;
  }

  /** Returns what the command printed; fails if it did. */
  public String run(String command) {
    List<String> words = words(command);
    String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
    return switch (words.get(0)) {
      case "ceph" -> ceph.ceph(arguments);
      case "rados" -> {
        assertThat(arguments[0]).isEqualTo("-p");
        yield ceph.rados(
            arguments[1], List.of(arguments).subList(2, arguments.length).toArray(String[]::new));
      }
      case "radosfs", "scripts/radosfs" -> radosfs(arguments);
      default -> throw new IllegalArgumentException(command);
    };
  }

  private String radosfs(String... arguments) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(0, List.of(arguments));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Radosfs.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    assertThat(status).as("%s: %s%s", String.join(" ", all), out, err).isZero();
    return out.toString();
  }
}
