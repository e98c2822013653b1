// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.integration.ceph.CephCluster.Result;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Runs commands by {@code commands.py}, which has loaded Ceph's command line tool: loading it anew
 * takes as much of a processor as what a command does, and so does a way into a container. The
 * server is on this machine, or in a container with this machine's network. Thread-safe; commands
 * run side by side.
 */
final class CommandServer {

  private static final String PROGRAM = "commands.py";

  private static final int CONNECT_MILLIS = 10_000;

  /** What a server must be told to obey. */
  private final String token;

  private final int port;

  private CommandServer(String token, int port) {
    this.token = token;
    this.port = port;
  }

  /** How a server is started, where its commands are to run. */
  interface Start {
    /**
     * Starts {@code commands.py} with these arguments.
     *
     * @return the first line that it prints
     */
    String start(byte[] program, List<String> arguments) throws IOException;
  }

  /**
   * Starts a server.
   *
   * @throws IllegalStateException if it does not say where it listens
   */
  static CommandServer start(Start how) {
    String token = UUID.randomUUID().toString();
    try (InputStream program = CommandServer.class.getResourceAsStream(PROGRAM)) {
      String printed = how.start(program.readAllBytes(), List.of(token)).strip();
      if (!printed.matches("\\d+")) {
        throw new IllegalStateException(
            PROGRAM + " printed '" + printed + "' in place of the port where it listens");
      }
      return new CommandServer(token, Integer.parseInt(printed));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot start "
              + PROGRAM
              + ": it needs python3, as Ceph's command line tools do (package ceph-common)",
          e);
    }
  }

  /**
   * Runs a command to its end.
   *
   * @throws UncheckedIOException if there is no answer in time
   */
  Result run(List<String> command, Duration timeout) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      StringBuilder request = new StringBuilder(token).append('\0');
      command.forEach(word -> request.append(word).append('\0'));
      socket.getOutputStream().write(request.toString().getBytes(UTF_8));
      socket.shutdownOutput();
      return answer(new DataInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to `" + String.join(" ", command) + "`", e);
    }
  }

  private static Result answer(DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (char next = (char) in.readByte(); next != '\n'; next = (char) in.readByte()) {
      head.append(next);
    }
    String[] words = head.toString().split(" ");
    byte[] out = new byte[Integer.parseInt(words[1])];
    byte[] err = new byte[Integer.parseInt(words[2])];
    in.readFully(out);
    in.readFully(err);
    return new Result(Integer.parseInt(words[0]), new String(out, UTF_8), new String(err, UTF_8));
  }
}
