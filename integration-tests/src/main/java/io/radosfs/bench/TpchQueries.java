// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** TPC-H's 22 queries, as Spark's own tests have them: read from the jar of those tests. */
final class TpchQueries {

  static final int COUNT = 22;

  private final Path jar;

  /**
   * The queries of a jar.
   *
   * @param jar spark-sql's tests
   */
  TpchQueries(Path jar) {
    this.jar = jar;
  }

  /**
   * The text of one.
   *
   * @param number from 1
   */
  String text(int number) throws IOException {
    String name = "tpch/q" + number + ".sql";
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(name);
      if (entry == null) {
        throw new IOException(jar + " has no " + name + ": it is to be the jar of Spark's tests");
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
