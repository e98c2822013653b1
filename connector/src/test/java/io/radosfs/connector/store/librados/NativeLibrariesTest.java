// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.programs.ConnectingProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM that cannot load them. */
class NativeLibrariesTest {

  @TempDir Path folder;

  private List<String> connectingWith(String... options) throws Exception {
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ConnectingProgram.class.getName()));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    return Files.readAllLines(output, UTF_8).stream()
        .filter(line -> line.startsWith("cannot load"))
        .toList();
  }

  /** A folder that cannot be used: noexec, which only root could arrange here, fails as well. */
  @Test
  void theFolderOfJnaIsNamed() throws Exception {
    Path noFolder = Files.createFile(folder.resolve("file"));
    assertThat(connectingWith("-Djna.nosys=true", "-Djna.tmpdir=" + noFolder))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("cannot load the native part of JNA")
                    .contains("(" + noFolder + "): is that mounted noexec")
                    .contains("-Djna.tmpdir=<folder>")
                    .doesNotContain("librados2"));
  }
}
