// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server that runs the tests' commands, with commands that need no Ceph. */
class CommandServerIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path folder;

  private Process process;
  private CommandServer server;

  @BeforeEach
  void start() {
    server = CommandServer.start(this::start);
  }

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  private String start(byte[] program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.add(Files.write(folder.resolve("commands.py"), program).toString());
    command.addAll(arguments);
    command.add("--until-eof");
    process =
        new ProcessBuilder(command).redirectError(folder.resolve("commands.log").toFile()).start();
    return process.inputReader(UTF_8).readLine();
  }

  @Test
  void aCommandsWordsOutputAndStatusArriveAsTheyAre() {
    String script = "printf '%s|' \"$@\"; echo no >&2; exit 3";
    CephCluster.Result result =
        server.run(List.of("bash", "-c", script, "", "größe 日本", "", "a\nb"), TIMEOUT);
    assertThat(result).isEqualTo(new CephCluster.Result(3, "größe 日本||a\nb|", "no\n"));
  }

  @Test
  void commandsRunSideBySide() throws Exception {
    String pipe = folder.resolve("pipe").toString();
    assertThat(server.run(List.of("mkfifo", pipe), TIMEOUT).exitCode()).isZero();
    CompletableFuture<CephCluster.Result> reader =
        CompletableFuture.supplyAsync(() -> server.run(List.of("cat", pipe), TIMEOUT));
    CephCluster.Result writer = server.run(List.of("bash", "-c", "echo told >" + pipe), TIMEOUT);
    assertThat(writer.exitCode()).isZero();
    assertThat(reader.get(60, TimeUnit.SECONDS).stdout()).isEqualTo("told\n");
  }

  @Test
  void aMissingCommandIsAFailureThatSaysSo() {
    CephCluster.Result result = server.run(List.of("no-such-command"), TIMEOUT);
    assertThat(result.exitCode()).isEqualTo(127);
    assertThat(result.stderr()).contains("cannot run no-such-command");
  }

  @Test
  void noAnswerInTimeIsAnError() {
    assertThatThrownBy(() -> server.run(List.of("sleep", "30"), Duration.ofMillis(200)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("sleep 30");
  }

  @Test
  void itEndsWithWhoStartedIt() throws Exception {
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }
}
