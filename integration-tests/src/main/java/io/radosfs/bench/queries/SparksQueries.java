// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A benchmark's queries, as Spark's own tests have them: read from the jar of those tests. */
public final class SparksQueries {

  private static final Pattern NAME = Pattern.compile("q(\\d+)([a-z]?)\\.sql");

  private final Path jar;
  private final String folder;

  /**
   * The queries of a folder of a jar.
   *
   * @param jar spark-sql's tests
   */
  public SparksQueries(Path jar, String folder) {
    this.jar = jar;
    this.folder = folder;
  }

  /** In the order of their numbers: {@code "14a"} before {@code "14b"}. */
  public List<String> names() throws IOException {
    Pattern entries = Pattern.compile(Pattern.quote(folder + "/") + NAME);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<String> names =
          zip.stream()
              .map(entry -> entries.matcher(entry.getName()))
              .filter(Matcher::matches)
              .sorted(
                  Comparator.comparingInt((Matcher name) -> Integer.parseInt(name.group(1)))
                      .thenComparing(name -> name.group(2)))
              .map(name -> name.group(1) + name.group(2))
              .toList();
      if (names.isEmpty()) {
        throw missing(folder + "/q1.sql");
      }
      return names;
    }
  }

  /** The text of one. */
  public String text(String name) throws IOException {
    String path = folder + "/q" + name + ".sql";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(path);
      if (entry == null) {
        throw missing(path);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  private IOException missing(String path) {
    return new IOException(jar + " has no " + path + ": it is to be the jar of Spark's tests");
  }
}
