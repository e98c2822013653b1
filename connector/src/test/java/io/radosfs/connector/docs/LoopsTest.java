// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Loops that go on after a failure are those of the table in the decision for one loop, which says
 * of each why it is none of those that look, change and look again.
 */
class LoopsTest {

  private static final String PAGE = "connector/docs/decisions/one-loop.md";
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| in a loop \\|");

  /** Not one over the elements of a collection, which takes each once. */
  private static final Pattern LOOP = Pattern.compile("\\b(?:while \\(|do \\{|for \\([^:)]*;)");

  private static final Pattern CAUGHT =
      Pattern.compile("\\bcatch \\([^)]*(?:IO|Store|Runtime|OutcomeUnknown|Contention)Exception");

  @Test
  void thoseThatGoOnAfterAFailureAreKnown() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : Repository.files(".java")) {
      if (file.toString().contains("/src/main/") && goesOn(Files.readString(file))) {
        found.add(file.getFileName().toString().replace(".java", ""));
      }
    }
    assertThat(found)
        .as("classes with a loop that catches a failure; use Retries, or say why not in %s", PAGE)
        .isEqualTo(described());
  }

  private static Set<String> described() throws IOException {
    return ROW.matcher(Files.readString(Repository.top().resolve(PAGE)))
        .results()
        .map(row -> row.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean goesOn(String source) {
    Matcher loop = LOOP.matcher(source);
    while (loop.find()) {
      int body = source.indexOf('{', loop.end() - 1);
      if (body >= 0 && CAUGHT.matcher(source.substring(body, end(source, body))).find()) {
        return true;
      }
    }
    return false;
  }

  /** Where the block that begins here ends. */
  private static int end(String source, int begin) {
    int depth = 0;
    for (int i = begin; i < source.length(); i++) {
      if (source.charAt(i) == '{') {
        depth++;
      } else if (source.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    return source.length();
  }
}
