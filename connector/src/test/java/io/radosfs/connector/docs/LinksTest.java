// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between pages lead to files, and to headings, that there are. */
class LinksTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```\\s*$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");
  private static final Pattern PAGE_IN_CODE =
      Pattern.compile("\\b(?:connector|committer|integration-tests)/[\\w/.-]*\\.md\\b");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Repository.files(".md")) {
      String text =
          CODE.matcher(FENCE.matcher(Files.readString(page)).replaceAll("")).replaceAll("``");
      Matcher link = LINK.matcher(text);
      while (link.find()) {
        String target = link.group(1);
        if (!target.matches("[a-z]+:.*")) {
          links++;
          if (!leadsSomewhere(page, target)) {
            broken.add(target + " in " + Repository.top().relativize(page));
          }
        }
      }
    }
    assertThat(links).isPositive();
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  /** A page that can be reached from nowhere is read by nobody. */
  @Test
  void everyPageIsLinkedTo() throws IOException {
    Set<Path> linked = new HashSet<>();
    for (Path page : Repository.files(".md")) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        linked.add(page.resolveSibling(link.group(1).replaceFirst("#.*", "")).normalize());
      }
    }
    assertThat(Repository.files(".md"))
        .filteredOn(page -> Repository.top().relativize(page).toString().contains("docs/"))
        .isNotEmpty()
        .allMatch(linked::contains);
  }

  /** What sources say is on a page: the page is there. */
  @Test
  void pagesThatSourcesNameAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path source : Repository.files(".java", "pom.xml", ".conf", ".sh")) {
      Matcher page = PAGE_IN_CODE.matcher(Files.readString(source));
      while (page.find()) {
        if (!Files.exists(Repository.top().resolve(page.group()))) {
          missing.add(page.group() + " in " + Repository.top().relativize(source));
        }
      }
    }
    assertThat(missing).as("pages that are not there").isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path other = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(other) && (hash < 0 || anchors(other).contains(target.substring(hash + 1)));
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(FENCE.matcher(Files.readString(page)).replaceAll(""));
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_ -]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }
}
