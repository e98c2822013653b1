// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Classes that pages name are there, so that a renamed one is renamed on the pages too. */
class NamedClassesTest {

  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*)`");

  /** Names in the form of a class, alone or after a package. */
  private static final Pattern NAME =
      Pattern.compile("`(?:[a-z]\\w*\\.)*([A-Z][a-z]+[A-Z]\\w*)(?:\\.\\w+)?`");

  /** A class after its package, or after the last part of that. */
  private static final Pattern PLACE =
      Pattern.compile("`((?:[a-z]\\w*\\.)+[A-Z][a-z]\\w*)(?:\\.\\w+)?`");

  /** Classes of Java, Hadoop and Ceph that pages name. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "AccessControlException",
          "FileNotFoundException",
          "FileOutputCommitterFactory",
          "FileOutputFormat",
          "IllegalArgumentException",
          "InterruptedIOException",
          "PathIOException",
          "ServiceLoader",
          "StreamStatisticNames",
          "UnsupportedOperationException");

  /** A type inside another: its declaration is indented, as the sources are formatted. */
  private static final Pattern NESTED =
      Pattern.compile(
          "(?m)^ +(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed) )*"
              + "(?:class|@?interface|enum|record) ([A-Z]\\w*)");

  private static final Pattern TEXT_BLOCK =
      Pattern.compile("(?s)(?<!\\\\)\"\"\"\n.*?(?<!\\\\)\"\"\"");

  /** Names that others have given to what these types describe. */
  private static final Set<String> NESTED_OF_OTHERS =
      Set.of(
          "KubeflowApplication.SecretType",
          "ManifestCommitterSuites.CommitTaskStage",
          "ManifestCommitterSuites.LoadManifestsStage");

  /** A package of main code, by its place in its module. */
  private static final Pattern PACKAGE =
      Pattern.compile(
          "/src/main/java/io/radosfs/(?:connector|committer)/(?:transaction/)?([a-z/]+)/package-info");

  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))`");

  @Test
  void allOfTheArchitecture() throws IOException {
    assertThat(named(CLASS, Repository.top().resolve("connector/docs/architecture.md")))
        .isNotEmpty()
        .allMatch(known()::contains);
  }

  /** The rooms of {@code transaction} are on the page by their own names. */
  @Test
  void theArchitectureHasEveryPackage() throws IOException {
    List<String> packages =
        Repository.files("package-info.java").stream()
            .flatMap(file -> PACKAGE.matcher(file.toString()).results())
            .map(place -> place.group(1).replace('/', '.'))
            .toList();
    assertThat(packages).contains("store.librados", "spark.plugin", "rename");
    assertThat(
            PageSection.of("connector/docs/architecture.md", "Packages").text().split("[^\\w.]+"))
        .containsAll(packages);
  }

  @Test
  void classesOnAllPages() throws IOException {
    Set<String> known = known();
    List<String> unknown = new ArrayList<>();
    for (Path page : Repository.files(".md")) {
      for (String name : named(NAME, page)) {
        if (!known.contains(name) && !OF_OTHERS.contains(name)) {
          unknown.add(name + " in " + Repository.top().relativize(page));
        }
      }
    }
    assertThat(known).isNotEmpty();
    assertThat(unknown).as("classes that are not there").isEmpty();
  }

  @Test
  void packagesOnAllPages() throws IOException {
    List<String> sources = Repository.files(".java").stream().map(Path::toString).toList();
    List<String> misplaced = new ArrayList<>();
    int places = 0;
    for (Path page : Repository.files(".md")) {
      for (String place : named(PLACE, page)) {
        String source = "/" + place.replace('.', '/') + ".java";
        boolean isOfOthers = OF_OTHERS.contains(place.substring(place.lastIndexOf('.') + 1));
        places += isOfOthers ? 0 : 1;
        if (!isOfOthers && sources.stream().noneMatch(file -> file.endsWith(source))) {
          misplaced.add(place + " in " + Repository.top().relativize(page));
        }
      }
    }
    assertThat(places).as("names with a package").isPositive();
    assertThat(misplaced).as("classes that are in another package").isEmpty();
  }

  @Test
  void testsOnAllPages() throws IOException {
    List<String> named = new ArrayList<>();
    for (Path page : Repository.files(".md")) {
      named.addAll(named(TEST, page));
    }
    assertThat(named).isNotEmpty().allMatch(known()::contains);
  }

  /** A name on a page, in a stack trace or in talk means one class. */
  @Test
  void noneIsNamedTwice() throws IOException {
    assertThat(classes().filter(name -> !name.equals("package-info")))
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  /** The name of a class of main code means that class inside others too. */
  @Test
  void noneIsNamedOnceMoreInsideAnother() throws IOException {
    Set<String> main =
        Repository.files(".java").stream()
            .filter(source -> source.toString().contains("/src/main/"))
            .map(NamedClassesTest::name)
            .collect(Collectors.toSet());
    List<String> found = new ArrayList<>();
    List<String> twice = new ArrayList<>();
    for (Path source : Repository.files(".java")) {
      for (String nested : nested(Files.readString(source))) {
        String inside = name(source) + "." + nested;
        found.add(inside);
        if (main.contains(nested)) {
          twice.add(inside);
        }
      }
    }
    assertThat(found).contains("WriteIntent.Kind", "Metric.Unit");
    assertThat(twice).containsExactlyInAnyOrderElementsOf(NESTED_OF_OTHERS);
  }

  @Test
  void declarationsAreFound() {
    String source =
        """
        /** The class None. */
        final class Outer {
          private static final class Inner<T> implements Runnable {
            enum Deep { ONE }
          }
          sealed interface Open permits Outer {}
          void run() {
            record Local(int number) {}
            String text =
                \"""
                  class InText {}
                \""";
          }
        }
        """;
    assertThat(nested(source)).containsExactly("Inner", "Deep", "Open", "Local");
  }

  private static Set<String> known() throws IOException {
    return classes().collect(Collectors.toSet());
  }

  private static Stream<String> classes() throws IOException {
    return Repository.files(".java").stream().map(NamedClassesTest::name);
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static List<String> nested(String source) {
    return NESTED
        .matcher(TEXT_BLOCK.matcher(source).replaceAll("\"\""))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static List<String> named(Pattern name, Path page) throws IOException {
    return name.matcher(Files.readString(page)).results().map(match -> match.group(1)).toList();
  }
}
