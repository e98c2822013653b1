// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Option.Audience;
import io.radosfs.connector.docs.Repository;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A page of settings: a table for each audience, under a heading of its own. */
public final class SettingsTable {

  private static final Map<Audience, String> HEADINGS =
      Map.of(
          Audience.USERS, "## User settings",
          Audience.DEVELOPERS, "## Internal settings");

  private SettingsTable() {}

  /** Fails unless each table of the page has its settings, all of them and in their order. */
  public static void assertDocumented(String page, List<Option<?>> options) {
    for (Audience audience : Audience.values()) {
      String table = table(options, audience);
      String heading = HEADINGS.get(audience);
      assertThat(documented(page, heading))
          .as("the table of %s, %s; it should be:\n%s\n", page, heading, table)
          .isEqualTo(table);
    }
  }

  private static String table(List<Option<?>> options, Audience audience) {
    return options.stream()
        .filter(option -> option.audience() == audience)
        .map(SettingsTable::row)
        .collect(Collectors.joining("\n"));
  }

  private static String row(Option<?> option) {
    String defaultText = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
    return "| `" + option.key() + "` | " + defaultText + " | " + option.meaning() + " |";
  }

  private static String documented(String page, String heading) {
    return Repository.page(page)
        .lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `fs.rados."))
        .collect(Collectors.joining("\n"));
  }
}
