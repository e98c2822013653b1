// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/radosfs} and the classes that its runs share. It asks no cluster. */
class LauncherIT {

  private static final long BOUND_SECONDS = 60;
  private static final String SHARED = "shared objects file (top)";

  @TempDir Path here;

  private Process start(String cache) throws IOException {
    ProcessBuilder radosfs =
        new ProcessBuilder(Repository.top().resolve("scripts/radosfs").toString(), "--version");
    radosfs
        .environment()
        .putAll(
            Map.of(
                "RADOSFS_CACHE",
                cache,
                "RADOSFS_JAVA_OPTS",
                "-Xlog:class+load:file=" + here.resolve("loaded")));
    return radosfs.redirectErrorStream(true).start();
  }

  /** Runs it, and returns whether it has found classes in the archive. */
  private boolean shares(String cache) throws IOException, InterruptedException {
    says(start(cache));
    return Files.readString(here.resolve("loaded")).contains(SHARED);
  }

  /** Whatever the archive is like, nothing else is printed. */
  private static void says(Process radosfs) throws IOException, InterruptedException {
    String said =
        new String(radosfs.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(radosfs.waitFor()).as(said).isZero();
    assertThat(said).matches("radosfs \\S+");
  }

  private List<Path> files(String cache, String ending) throws IOException {
    try (var files = Files.list(Path.of(cache))) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private Path archive(String cache) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (files(cache, ".jsa").isEmpty() || files(cache, "").size() > 1) {
      assertThat(System.nanoTime()).as("files: " + files(cache, "")).isLessThan(until);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return files(cache, ".jsa").get(0);
  }

  @Test
  void laterRunsShareTheClassesOfTheFirst() throws IOException, InterruptedException {
    String cache = here.resolve("cache").toString();
    assertThat(shares(cache)).isFalse();
    Path archive = archive(cache);
    assertThat(shares(cache)).isTrue();
    Files.delete(archive);
    Files.writeString(archive, "this is no archive");
    assertThat(shares(cache)).isFalse();
  }

  @Test
  void severalFirstRunsMakeOneArchive() throws IOException, InterruptedException {
    String cache = here.resolve("cache").toString();
    List<Process> runs = List.of(start(cache), start(cache), start(cache));
    for (Process run : runs) {
      says(run);
    }
    Path unused = archive(cache);
    assertThat(shares(cache)).isTrue();
  }

  @Test
  void worksWhereNothingCanBeKept() throws IOException, InterruptedException {
    assertThat(shares("")).isFalse();
    assertThat(shares("/proc/none")).isFalse();
    Files.writeString(here.resolve("file"), "in the way");
    assertThat(shares(here.resolve("file").toString())).isFalse();
  }
}
