// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * What a sentence of a page calls by its name exists: commands of radosfs with their options,
 * scripts with theirs, and Maven's profiles. Commands that stand on lines of their own are run
 * ({@link io.radosfs.connector.docs.CommandsTest}). Those of other programs are not looked at:
 * their options are not ours to tell.
 */
class NamedCommandsTest {

  private static final Pattern NAMED =
      Pattern.compile("`((?:scripts/)?radosfs [^`]*|scripts/[^`]*|[^`]*\\bmvn -P[^`]*)`");

  private static final Pattern WORD = Pattern.compile("[a-z][a-z-]*");

  /** How messages begin that start with the name, as the command does. */
  private static final List<String> MESSAGES = List.of("cannot", "is");

  /** The part of a command that does not exist, by where the command is named. */
  private final Map<String, String> missing = new LinkedHashMap<>();

  private int checked;

  @Test
  void eachExistsWithItsOptions() throws IOException {
    for (Path page : Repository.files(".md")) {
      String text = Files.readString(page);
      List<String> named =
          NAMED.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
      for (String command : named) {
        checked++;
        Optional<String> without = check(command.replace('\n', ' '));
        without.ifPresent(
            part -> missing.put(Repository.top().relativize(page) + ": " + command, part));
      }
    }

    assertThat(missing).as("commands of which a part does not exist").isEmpty();
    assertThat(checked).isGreaterThan(150);
  }

  @Test
  void whatDoesNotExistIsFound() {
    assertThat(
            Stream.of(
                "radosfs gcc rados://pool/",
                "radosfs gc --replaced-soon",
                "radosfs jobs forget",
                "scripts/radosfs fsk",
                "scripts/none",
                "scripts/bench pears",
                "scripts/test --matrixes",
                "mvn -Pnone"))
        .allSatisfy(command -> assertThat(check(command)).as(command).isPresent());
    assertThat(
            Stream.of(
                "radosfs jobs abort --force URI ID",
                "scripts/radosfs <verb>",
                "radosfs is ready: …",
                "scripts/bench peers --only partitions",
                "scripts/ceph-dev exec -- ceph health detail",
                "mvn -Prelease verify"))
        .allSatisfy(command -> assertThat(check(command)).as(command).isEmpty());
  }

  private static Optional<String> check(String command) {
    List<String> words = List.of(command.split("\\s+"));
    if (words.contains("mvn")) {
      return words.stream()
          .filter(word -> word.startsWith("-P"))
          .filter(profile -> !Repository.page("pom.xml").contains("<id>" + profile.substring(2)))
          .findFirst();
    }
    List<String> rest = words.subList(1, words.size());
    boolean isRadosfs = words.get(0).equals("radosfs") || words.get(0).equals("scripts/radosfs");
    if (isRadosfs && !rest.isEmpty()) {
      return MESSAGES.contains(rest.get(0))
          ? Optional.empty()
          : ofRadosfs(Radosfs.commandLine(false), rest);
    }
    return ofScript(words.get(0), rest);
  }

  /** The first word that is no verb of it, or no option. */
  private static Optional<String> ofRadosfs(CommandLine line, List<String> words) {
    CommandLine verb = line;
    for (String word : words) {
      if (word.startsWith("--")) {
        if (verb.getCommandSpec().findOption(word.replaceAll("[=\\]].*", "")) == null) {
          return Optional.of(word);
        }
      } else if (!verb.getSubcommands().isEmpty() && WORD.matcher(word).matches()) {
        verb = verb.getSubcommands().get(word);
        if (verb == null) {
          return Optional.of(word);
        }
      }
    }
    return Optional.empty();
  }

  /** What stands after {@code --} alone is for another program. */
  private static Optional<String> ofScript(String script, List<String> words) {
    Path file = Repository.top().resolve(script);
    if (!Files.exists(file)) {
      return Optional.of(script);
    }
    List<String> named = new ArrayList<>();
    int others = words.indexOf("--");
    for (String word : others < 0 ? words : words.subList(0, others)) {
      String bare = word.replaceAll("[\\[\\]]|=.*", "");
      boolean isFirst = named.isEmpty() && WORD.matcher(bare).matches();
      if (isFirst || bare.startsWith("--")) {
        named.add(bare);
      }
    }
    if (Files.isDirectory(file) || named.isEmpty()) {
      return Optional.empty();
    }
    String text = Repository.page(script);
    return named.stream()
        .filter(word -> !Pattern.compile("(?<![\\w-])" + word + "(?![\\w-])").matcher(text).find())
        .findFirst();
  }
}
