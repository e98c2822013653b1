// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.programs.ConnectingProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In JVMs that cannot load them: the messages of the page on troubleshooting. */
class NativeLibrariesTest {

  @TempDir Path folder;

  private static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ConnectingProgram.class.getName()));
    return command;
  }

  private List<String> connectingWith(String... options) throws Exception {
    return said(java(options));
  }

  /** Why it could not connect. */
  private List<String> said(List<String> command) throws Exception {
    return said(command, 0).stream().filter(line -> line.startsWith("cannot load")).toList();
  }

  private List<String> said(List<String> command, int status) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output, UTF_8)).isEqualTo(status);
    return Files.readAllLines(output, UTF_8);
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

  /**
   * The loader finds it by that name, wherever JNA looks: the package librados-dev has the link.
   */
  private static void assumeThatNoLinkIsInstalled() throws Exception {
    Process known = new ProcessBuilder("/sbin/ldconfig", "-p").start();
    String names = new String(known.getInputStream().readAllBytes(), UTF_8);
    assertThat(known.waitFor()).isZero();
    assumeThat(names).as("librados-dev is installed").doesNotContain("librados.so ");
  }

  /** JNA looks for librados in no folder of the system. */
  @Test
  void thePageHasTheMessages() throws Exception {
    assumeThatNoLinkIsInstalled();
    List<String> told = new ArrayList<>();
    told.addAll(connectingWith("-Djna.platform.library.path=" + folder).subList(0, 1));
    Path noFolder = Files.createFile(folder.resolve("no-folder"));
    told.addAll(connectingWith("-Djna.nosys=true", "-Djna.tmpdir=" + noFolder).subList(0, 1));
    ToldMessages.of("connector/docs/troubleshooting.md", "Native libraries").assertAre(told);
  }

  /**
   * The command line of a machine without librados: what is missing, and nothing about the rest.
   */
  @Test
  void theDoctorSaysWhatToDo() throws Exception {
    assumeThatNoLinkIsInstalled();
    List<String> command = new ArrayList<>(java("-Djna.platform.library.path=" + folder));
    command.set(command.size() - 1, Radosfs.class.getName());
    command.addAll(List.of("doctor", "rados://lake/"));
    List<String> findings =
        said(command, 1).stream().filter(line -> line.matches("[A-Z]+ +[a-z]+: .*")).toList();
    assertThat(findings).hasSize(2);
    assertThat(findings.get(0)).startsWith("OK       settings: ");
    assertThat(findings.get(1))
        .startsWith("FAILED   library: cannot load librados, Ceph's client library: ")
        .contains("install the package librados2");
  }

  /** Where this user may make a namespace of mounts, a folder is mounted so in earnest. */
  @Test
  void aFolderMountedNoexecIsNamed() throws Exception {
    Path mounted = Files.createDirectory(folder.resolve("noexec"));
    String mount = "mount -t tmpfs -o noexec none '" + mounted + "'";
    List<String> within = List.of("unshare", "--map-root-user", "--mount", "sh", "-c");
    List<String> tried = new ArrayList<>(within);
    tried.add(mount);
    assumeThat(new ProcessBuilder(tried).start().waitFor()).as("mounts for this user").isZero();
    List<String> command = new ArrayList<>(within);
    command.add(
        mount
            + " && XDG_CACHE_HOME='"
            + mounted
            + "' exec '"
            + String.join("' '", java("-Djna.nosys=true"))
            + "'");
    assertThat(said(command))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line).contains("(" + mounted + "/JNA/temp): is that mounted noexec"));
  }
}
