// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The messages that a section of a page on troubleshooting is headed by: {@code ### `message`},
 * where {@code <word>} stands for what differs from case to case, and {@code …} for what is left
 * out.
 */
public final class ToldMessages {

  private static final Pattern HEADING = Pattern.compile("(?m)^### `(.*)`$");
  private static final Pattern VARIABLE = Pattern.compile("<[^<>]+>|…");

  private final String where;
  private final List<String> headings = new ArrayList<>();

  private ToldMessages(String page, String section) {
    this.where = page + ", " + section;
    Matcher body =
        Pattern.compile("(?ms)^## " + Pattern.quote(section) + "\\n(.*?)(?=^## |\\z)")
            .matcher(Repository.page(page));
    assertThat(body.find()).as("section %s of %s", section, page).isTrue();
    Matcher heading = HEADING.matcher(body.group(1));
    while (heading.find()) {
      headings.add(heading.group(1));
    }
  }

  /**
   * @param page by its path from the top of the repository
   * @param section the title of a section of the second level
   */
  public static ToldMessages of(String page, String section) {
    return new ToldMessages(page, section);
  }

  /** The message of what the call throws, which is told in words if it throws nothing. */
  public static String thrownBy(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    return thrown == null ? "nothing was thrown" : thrown.getMessage();
  }

  /** The titles of all sections of a page that have messages for headings. */
  public static List<String> sectionsOf(String page) {
    return Pattern.compile("(?m)^## (.+)$")
        .matcher(Repository.page(page))
        .results()
        .map(title -> title.group(1))
        .filter(title -> !of(page, title).headings.isEmpty())
        .toList();
  }

  /** Asserts that each message has its heading, and each heading its message. */
  public void assertAre(Collection<String> messages) {
    List<String> unmet = new ArrayList<>(headings);
    List<String> untold = new ArrayList<>();
    for (String message : messages) {
      if (!unmet.removeIf(heading -> isOf(heading, message))) {
        untold.add(message);
      }
    }
    assertThat(untold)
        .as("messages without a heading in %s; headings left: %s", where, unmet)
        .isEmpty();
    assertThat(unmet).as("headings of %s that nothing has provoked", where).isEmpty();
  }

  private static boolean isOf(String heading, String message) {
    StringBuilder pattern = new StringBuilder();
    Matcher variable = VARIABLE.matcher(heading);
    int from = 0;
    while (variable.find()) {
      pattern.append(Pattern.quote(heading.substring(from, variable.start()))).append(".*");
      from = variable.end();
    }
    pattern.append(Pattern.quote(heading.substring(from)));
    return Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(message).matches();
  }
}
