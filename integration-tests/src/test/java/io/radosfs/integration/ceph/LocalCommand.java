// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.integration.ceph.CephCluster.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands on this machine. */
final class LocalCommand {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private LocalCommand() {}

  /**
   * Runs one to its end, for 90 s at most.
   *
   * @param folder for what it prints
   */
  static Result run(Path folder, List<String> command) {
    return run(folder, command, TIMEOUT);
  }

  /** The same, for that long at most. */
  static Result run(Path folder, List<String> command, Duration timeout) {
    Path out = folder.resolve(Scratch.newName());
    Path err = folder.resolve(Scratch.newName());
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Result(-1, "", "no answer within " + timeout.toSeconds() + " s");
      }
      return new Result(
          process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot run `%s`: Ceph's command line tools are needed to test on a given cluster (package ceph-common)"
              .formatted(command.get(0)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command, e);
    } finally {
      Scratch.delete(out);
      Scratch.delete(err);
    }
  }
}
