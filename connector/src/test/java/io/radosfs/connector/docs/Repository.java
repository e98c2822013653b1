// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of this repository, for tests that compare documentation with code. */
public final class Repository {

  /** What is hidden is not ours, but for these. */
  private static final Set<String> HIDDEN = Set.of(".ci", ".github", ".mvn");

  private Repository() {}

  /** The top folder, from wherever below it the tests run. */
  public static Path top() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("connector/docs"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException(
            "no folder at or above " + Path.of("").toAbsolutePath() + " has connector/docs");
      }
    }
    return folder;
  }

  /** All files whose names end in one of these, sorted. */
  public static List<Path> files(String... endings) throws IOException {
    return files(name -> List.of(endings).stream().anyMatch(name::endsWith));
  }

  /** The text of a page, given by its path from the top. */
  public static String page(String path) {
    try {
      return Files.readString(top().resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Predicate<String> wanted) throws IOException {
    List<Path> found = new ArrayList<>();
    Path top = top();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean passed =
                name.equals("target") || name.startsWith(".") && !HIDDEN.contains(name);
            return passed && !folder.equals(top)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (wanted.test(file.getFileName().toString())) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(null);
    return found;
  }
}
