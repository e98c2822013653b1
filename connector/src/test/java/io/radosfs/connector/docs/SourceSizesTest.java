// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What is shipped, and what is run with it, stays in small files and packages. The bounds are
 * today's largest: lowering them is welcome, and a change that would exceed one cuts something
 * instead.
 */
class SourceSizesTest {

  private static final int LINES = 400;

  /**
   * The methods of the first are Hadoop's, each a line or two. The second makes all parts, and does
   * nothing else.
   */
  private static final Map<String, Integer> LONGER =
      Map.of("RadosFileSystem.java", 584, "Wiring.java", 411);

  /** Top-level types in a package: those of {@code cli}, a class for each command. */
  private static final int TYPES = 60;

  private static List<Path> sources() throws IOException {
    List<Path> sources =
        Repository.files(".java").stream()
            .filter(file -> file.toString().contains("/src/main/java/"))
            .toList();
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }

  @Test
  void noFileIsLong() throws IOException {
    Map<String, Integer> tooLong = new TreeMap<>();
    for (Path source : sources()) {
      String name = source.getFileName().toString();
      int lines = Files.readAllLines(source).size();
      if (lines > LONGER.getOrDefault(name, LINES)) {
        tooLong.put(name, lines);
      }
    }
    assertThat(tooLong).as("files of more than %d lines", LINES).isEmpty();
  }

  /** Each file has one top-level type. */
  @Test
  void noPackageIsLarge() throws IOException {
    Map<Path, Long> tooLarge =
        sources().stream()
            .filter(source -> !source.endsWith("package-info.java"))
            .map(source -> Repository.top().relativize(source.getParent()))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    tooLarge.values().removeIf(types -> types <= TYPES);
    assertThat(tooLarge).as("packages of more than %d top-level types", TYPES).isEmpty();
  }
}
