// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.radosfs.connector.docs.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/radosfs} and the classes that its runs share. It asks no cluster. */
class LauncherIT {

  private static final long BOUND_SECONDS = 180;
  private static final String SHARED = "source: shared objects file";
  private static final String MAIN = "io.radosfs.connector.cli.Radosfs";

  /** Looks something up where no monitor can be: a port that refuses. */
  private static final String[] LOOK_UP = {
    "ls",
    "rados://none/",
    "-Dfs.rados.ceph.conf=/dev/null",
    "-Dfs.rados.ceph.mon_host=127.0.0.1:1",
    "-Dfs.rados.ceph.secret=AQAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAA==",
    "-Dfs.rados.connect.timeout=1s"
  };

  @TempDir Path here;

  private Process start(String cache, String... arguments) throws IOException {
    ProcessBuilder radosfs =
        new ProcessBuilder(Repository.top().resolve("scripts/radosfs").toString());
    radosfs.command().addAll(List.of(arguments));
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
    says(start(cache, "--version"));
    return loaded().anyMatch(line -> line.contains(" " + MAIN + " " + SHARED));
  }

  private Stream<String> loaded() throws IOException {
    return Files.readAllLines(here.resolve("loaded")).stream();
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
    List<Process> runs =
        List.of(start(cache, "--version"), start(cache, "--version"), start(cache, "--version"));
    for (Process run : runs) {
      says(run);
    }
    Path unused = archive(cache);
    assertThat(shares(cache)).isTrue();
  }

  /** Of what needs no cluster but JNA and librados, nearly nothing comes from a jar. */
  @Test
  void theArchiveHasTheClassesOfALookUp() throws IOException, InterruptedException {
    String cache = here.resolve("cache").toString();
    assertThat(shares(cache)).isFalse();
    Path unused = archive(cache);
    Process lookUp = start(cache, LOOK_UP);
    String said = new String(lookUp.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(lookUp.waitFor()).as(said).isOne();
    assertThat(said).contains("no monitor of 127.0.0.1:1 answered");
    assertThat(loaded()).anyMatch(line -> line.contains(" com.sun.jna.Native " + SHARED));
    // Two of picocli are linked as the archive is made, which classes of their form may not be.
    assertThat(loaded().filter(line -> line.endsWith(".jar")).toList()).hasSizeLessThan(10);
  }

  @Test
  void anotherUserCanRunIt() throws IOException, InterruptedException {
    Another another = Another.of(here);
    assertThat(another.runs(here.resolve("none"), "--version")).matches("(?s)radosfs \\S+\\s");
    Path home = another.home(here.resolve("home"));
    assertThat(another.runs(home, LOOK_UP)).contains("no monitor of 127.0.0.1:1 answered");
    String cache = home.resolve(".cache/radosfs").toString();
    assertThat(Files.getAttribute(archive(cache), "unix:uid")).isEqualTo(Another.NOBODY);
  }

  /** What another user has made is run by that user alone. */
  @Test
  void anotherUsersArchiveIsNotUsed() throws IOException, InterruptedException {
    Another another = Another.of(here);
    Path cache = another.home(here.resolve("cache"));
    assertThat(shares(cache.toString())).isFalse();
    assertThat(files(cache.toString(), "")).isEmpty();
  }

  @Test
  void worksWhereNothingCanBeKept() throws IOException, InterruptedException {
    assertThat(shares("")).isFalse();
    assertThat(shares("/proc/none")).isFalse();
    Files.writeString(here.resolve("file"), "in the way");
    assertThat(shares(here.resolve("file").toString())).isFalse();
  }

  /**
   * A user who has built nothing, and may read what the builder's umask lets others read.
   *
   * @param top what a build leaves for the command line, with its modes, where all users can reach
   *     it
   */
  private record Another(Path top) {

    static final int NOBODY = 65534;

    static Another of(Path folder) throws IOException, InterruptedException {
      assumeThat(Files.getAttribute(folder, "unix:uid")).as("tests run as root").isEqualTo(0);
      Path top = Files.createDirectories(folder.resolve("top"));
      // JUnit's own folder is of its user alone.
      for (Path open : List.of(folder, top)) {
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      ended(
          new ProcessBuilder(
                  "bash",
                  "-c",
                  "cp -a --parents scripts/radosfs connector/target/*.jar"
                      + " connector/target/command-line committer/target/*.jar \"$0\"",
                  top.toString())
              .directory(Repository.top().toFile()));
      return new Another(top);
    }

    Path home(Path folder) throws IOException {
      Files.createDirectories(folder);
      Files.setAttribute(folder, "unix:uid", NOBODY);
      return folder;
    }

    /** Returns what it says, whatever its status. */
    String runs(Path home, String... arguments) throws IOException, InterruptedException {
      ProcessBuilder radosfs =
          new ProcessBuilder(
              "setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--");
      radosfs.command().add(top.resolve("scripts/radosfs").toString());
      radosfs.command().addAll(List.of(arguments));
      radosfs.environment().keySet().removeAll(List.of("RADOSFS_CACHE", "XDG_CACHE_HOME"));
      radosfs.environment().put("HOME", home.toString());
      return ended(radosfs.directory(top.toFile()));
    }

    private static String ended(ProcessBuilder program) throws IOException, InterruptedException {
      Process process = program.redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isBetween(0, 1);
      return said;
    }
  }
}
