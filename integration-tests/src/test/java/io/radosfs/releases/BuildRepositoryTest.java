// SPDX-License-Identifier: Apache-2.0
package io.radosfs.releases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.PageSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line of the page on releases that gives a build a repository of its own. */
class BuildRepositoryTest {

  private static final String NO_MODULE =
      "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>"
          + "<version>1</version><packaging>pom</packaging></project>";

  @TempDir Path home;

  @Test
  void mavenTakesIt() throws IOException, InterruptedException {
    List<String> lines =
        PageSection.of("committer/docs/releases.md", "Machines that build with Maven")
            .commands("export");
    assertThat(lines).hasSize(1);
    Files.writeString(home.resolve("pom.xml"), NO_MODULE);
    String typed = lines.get(0) + "\nmvn -B -o -X validate";
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", typed);
    bash.environment().put("HOME", home.toString());
    bash.environment().remove("MAVEN_OPTS");
    Process maven = bash.directory(home.toFile()).redirectErrorStream(true).start();
    String said = new String(maven.getInputStream().readAllBytes(), UTF_8);
    assertThat(maven.waitFor()).as(said).isZero();
    assertThat(said).contains("Using local repository at " + home.resolve(".radosfs/m2"));
  }
}
