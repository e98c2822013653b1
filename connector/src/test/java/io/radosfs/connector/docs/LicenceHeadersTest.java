// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each source, and each script, says its licence in its first lines. */
class LicenceHeadersTest {

  private static final String LICENCE = "SPDX-License-Identifier: Apache-2.0";

  /** The build's formatter puts it there, but for {@code package-info.java}. */
  @Test
  void sources() throws IOException {
    assertThat(Repository.files(".java"))
        .isNotEmpty()
        .allMatch(source -> firstLines(source).get(0).equals("// " + LICENCE));
  }

  @Test
  void scripts() throws IOException {
    List<Path> scripts =
        Repository.files("").stream()
            .filter(
                file -> file.toString().endsWith(".sh") || firstLines(file).get(0).startsWith("#!"))
            .toList();
    assertThat(scripts)
        .hasSizeGreaterThan(5)
        .allMatch(script -> firstLines(script).contains("# " + LICENCE));
  }

  /** Of any file, whatever its bytes are. */
  private static List<String> firstLines(Path file) {
    try {
      return List.of(Files.readString(file, ISO_8859_1).split("\n", 4));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
