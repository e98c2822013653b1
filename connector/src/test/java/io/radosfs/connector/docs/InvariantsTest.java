// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code connector/docs/invariants.md} has every invariant that is cited anywhere, and says of each
 * what enforces and what tests it: classes that there are.
 */
class InvariantsTest {

  private static final String PAGE = "connector/docs/invariants.md";
  private static final Pattern HEADING = Pattern.compile("(?m)^## I(\\d+)\\. .+$");
  private static final Pattern CITED = Pattern.compile("\\bI(\\d+)\\b");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");

  /** An invariant as the page has it. */
  private record Invariant(Set<String> enforcedBy, Set<String> testedBy, String statement) {}

  @Test
  void theyAreNumberedFromOne() {
    List<Integer> numbers = new ArrayList<>(invariants().keySet());
    assertThat(numbers).isNotEmpty();
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(numbers.get(i))
          .as("the invariant at place %s of %s", i + 1, PAGE)
          .isEqualTo(i + 1);
    }
  }

  @Test
  void whatIsCitedIsThere() throws IOException {
    Set<Integer> known = invariants().keySet();
    List<String> unknown = new ArrayList<>();
    Set<Integer> cited = new TreeSet<>();
    for (Path file : Repository.files(".java", ".md", ".xml", ".conf")) {
      Matcher citation = CITED.matcher(Files.readString(file));
      while (citation.find()) {
        int number = Integer.parseInt(citation.group(1));
        if (!known.contains(number)) {
          unknown.add(citation.group() + " in " + Repository.top().relativize(file));
        } else if (file.toString().endsWith(".java")) {
          cited.add(number);
        }
      }
    }
    assertThat(unknown).as("citations of invariants that %s does not have", PAGE).isEmpty();
    assertThat(cited).as("invariants that code cites").isEqualTo(known);
  }

  @Test
  void eachIsEnforcedAndTestedByClassesThatThereAre() throws IOException {
    Set<String> main = classes("src/main");
    Set<String> test = classes("src/test");
    invariants()
        .forEach(
            (number, invariant) -> {
              assertThat(invariant.statement()).as("what I%s says", number).isNotBlank();
              assertThat(invariant.enforcedBy()).as("what enforces I%s", number).isNotEmpty();
              assertThat(main).as("what enforces I%s", number).containsAll(invariant.enforcedBy());
              assertThat(invariant.testedBy())
                  .as("what tests I%s", number)
                  .anyMatch(name -> name.endsWith("Test"));
              assertThat(test).as("what tests I%s", number).containsAll(invariant.testedBy());
            });
  }

  private static Map<Integer, Invariant> invariants() {
    String page = Repository.page(PAGE);
    Map<Integer, Invariant> invariants = new LinkedHashMap<>();
    Matcher heading = HEADING.matcher(page);
    while (heading.find()) {
      String rest = page.substring(heading.end());
      int next = rest.indexOf("\n## ");
      String section = next < 0 ? rest : rest.substring(0, next);
      Invariant before =
          invariants.put(
              Integer.parseInt(heading.group(1)),
              new Invariant(
                  named(section, "Enforced by"),
                  named(section, "Tested by"),
                  section.substring(0, Math.max(0, section.indexOf("\n- ")))));
      assertThat(before).as("another %s", heading.group()).isNull();
    }
    return invariants;
  }

  /** The classes that an item of a list names. */
  private static Set<String> named(String section, String item) {
    int begin = section.indexOf("\n- " + item + ": ");
    if (begin < 0) {
      return Set.of();
    }
    int end = section.indexOf("\n- ", begin + 1);
    return CLASS
        .matcher(section.substring(begin, end < 0 ? section.length() : end))
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toSet());
  }

  /** Simple names of the classes in all modules. */
  private static Set<String> classes(String folder) throws IOException {
    return Repository.files(".java").stream()
        .filter(file -> file.toString().contains("/" + folder + "/java/"))
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toSet());
  }
}
