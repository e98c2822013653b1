// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A section of a page, for tests that run its commands.
 *
 * @param text what is below its title
 */
public record PageSection(String page, String title, String text) {

  /** A command may go on in further lines, and may have what it shows beside it. */
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}(\\S.*?)(?: {3,}.*)?$");

  private static final Pattern GOES_ON = Pattern.compile("\\\\\n +");

  /**
   * @param page by its path from the top of the repository
   * @param title of a section of the second level, or of the page: then up to the first section
   */
  public static PageSection of(String page, String title) {
    Matcher body =
        Pattern.compile("(?ms)^##? " + Pattern.quote(title) + "\\n(.*?)(?=^## |\\z)")
            .matcher(Repository.page(page));
    assertThat(body.find()).as("section %s of %s", title, page).isTrue();
    return new PageSection(page, title, body.group(1));
  }

  /** The indented lines that begin with one of these programs, in their order. */
  public List<String> commands(String... programs) {
    return COMMAND
        .matcher(GOES_ON.matcher(text).replaceAll(""))
        .results()
        .map(command -> command.group(1))
        .filter(command -> List.of(programs).contains(command.split(" ")[0]))
        .toList();
  }
}
