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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Words that make a reader stop, with those to use instead: in pages, comments, messages, scripts
 * and examples. The names of stored keys, which stay as they are, stand as code in the pages.
 */
class PlainEnglishTest {

  private static final Map<Pattern, String> INSTEAD = new LinkedHashMap<>();

  static {
    instead("lacks?|lacked|lacking", "is missing, has no");
    instead(
        "(?:those|one|next|(?:clients?|process(?:es)?|jobs?|readers?|writers?|callers?|drivers?"
            + "|tasks?|attempts?|collectors?)) who",
        "that");
    instead("(?:for|by|of|to|so) who", "whoever, a client that");
    instead("patience", "backoff, timeout");
    instead("stagers?", "what prepares");
    instead("freez(?:er|ers)", "directory lock");
    instead("(?:settler|settlers)", "resolver, roll forward, roll back");
    instead("deciders?", "coordinator");
    instead("reclaim(?:s|ed|ing|er)?", "deferred deletion");
    instead("kept data", "retained data");
    instead("heard of(?! it yet)", "last heartbeat");
    instead("pool trials?", "write probe");
    instead("utili[sz]e[sd]?", "use");
    instead("leverag(?:e|es|ed|ing)", "use");
    instead("in order to", "to");
    instead("hence|thus|thereby|whereby|lest|whilst|amongst", "so, while, among");
    instead("parted by", "separated by");
    instead("pass(?:es|ed)? over", "ignore");
    instead("(?:come|comes|came|coming) to the same", "have the same result");
    instead("seamless(?:ly)?|robust(?:ly)?|blazing(?:ly)?", "what was measured");
  }

  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```\\s*$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

  /** Comments and literals, and so no identifiers. */
  private static final Pattern JAVA_TEXT =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"");

  private static final Pattern STORED_NAME = Pattern.compile("decider=|\"(?:decider|stagers/)\"");

  private static void instead(String words, String better) {
    INSTEAD.put(Pattern.compile("(?i)(?<![\\w.-])(?:" + words + ")(?![\\w-])"), better);
  }

  @Test
  void pages() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : Repository.files(".md")) {
      String text = FENCE.matcher(Files.readString(page)).replaceAll("");
      look(page, CODE.matcher(text).replaceAll("``"), found);
    }
    assertThat(found).isEmpty();
  }

  @Test
  void commentsAndMessages() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : Repository.files(".java")) {
      if (source.endsWith("PlainEnglishTest.java")) {
        continue; // The list itself.
      }
      Matcher text = JAVA_TEXT.matcher(Files.readString(source));
      while (text.find()) {
        String oneLine = text.group().replaceAll("\n\\s*\\*?\\s*", " ");
        look(source, STORED_NAME.matcher(oneLine).replaceAll(""), found);
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void scripts() throws IOException {
    List<String> found = new ArrayList<>();
    for (String folder : List.of("scripts", ".ci", ".github", "config-examples")) {
      List<Path> files = filesIn(Repository.top().resolve(folder));
      assertThat(files).as("files in %s", folder).isNotEmpty();
      for (Path file : files) {
        look(file, Files.readString(file), found);
      }
    }
    List<Path> python = Repository.files(".py");
    assertThat(python).isNotEmpty();
    for (Path file : python) {
      look(file, Files.readString(file), found);
    }
    assertThat(found.stream().distinct()).isEmpty();
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** A list that finds nothing would let all pass. */
  @Test
  void theListFinds() {
    List<String> found = new ArrayList<>();
    Path page = Repository.top().resolve("a.md");
    look(page, "A client who waits lacks patience.", found);
    assertThat(found).hasSize(3);
    look(page, "Whoever waits is missing nothing, and is listed in the black list.", found);
    assertThat(found).hasSize(3);
  }

  private static void look(Path file, String text, List<String> found) {
    INSTEAD.forEach(
        (words, better) -> {
          Matcher word = words.matcher(text);
          while (word.find()) {
            int from = Math.max(0, word.start() - 30);
            int to = Math.min(text.length(), word.end() + 30);
            found.add(
                "%s: '%s'; write: %s (…%s…)"
                    .formatted(
                        Repository.top().relativize(file),
                        word.group(),
                        better,
                        text.substring(from, to).replace('\n', ' ')));
          }
        });
  }
}
