// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A cluster that runs already. The tests make pools and users of their own on it and remove the
 * pools at the end; its other pools are left alone.
 */
final class GivenCephCluster extends CephCluster {

  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(90);

  private final Path givenConf;
  private final Path folder;
  private final CommandServer commands;
  private final Path conf;
  private final User admin;
  private final Queue<String> pools = new ConcurrentLinkedQueue<>();

  /** Runs the commands; kept, as it ends when nobody can write to it any more. */
  private Process server;

  private GivenCephCluster(Path givenConf, Path folder, String adminId) {
    this.givenConf = givenConf;
    this.folder = folder;
    this.commands = CommandServer.start(this::startCommands);
    this.conf = folder.resolve("ceph.conf");
    this.admin = new User(adminId, folder.resolve("ceph.client." + adminId + ".keyring"));
  }

  /** Opens the cluster of that conf as that user, who must be allowed to make pools and users. */
  static GivenCephCluster open(Path givenConf, String adminId) {
    if (!Files.isReadable(givenConf)) {
      throw new IllegalStateException(
          "-D%s: there is no file %s, or it cannot be read"
              .formatted(CONF_PROPERTY, givenConf.toAbsolutePath()));
    }
    GivenCephCluster cluster =
        new GivenCephCluster(givenConf.toAbsolutePath(), Scratch.folder(), adminId);
    try {
      cluster.ceph("status");
      cluster.writeKeyring(
          adminId, cluster.ceph("auth", "print-key", cluster.admin.entity()).strip());
      ClientConf.write(cluster.conf, cluster.ceph("config", "generate-minimal-conf"));
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "The cluster of -D%s=%s cannot be tested on as client.%s: %s"
              .formatted(CONF_PROPERTY, givenConf, adminId, e.getMessage()),
          e);
    }
    return cluster;
  }

  @Override
  public Path conf() {
    return conf;
  }

  @Override
  public User admin() {
    return admin;
  }

  @Override
  protected Path folder() {
    return folder;
  }

  @Override
  protected void poolCreated(String pool) {
    pools.add(pool);
  }

  @Override
  protected Result run(List<String> command) {
    List<String> full = new ArrayList<>(command);
    full.addAll(1, List.of("--conf", givenConf.toString(), "--name", admin.entity()));
    return execute(full);
  }

  @Override
  protected Result execute(List<String> command) {
    return commands.run(command, COMMAND_TIMEOUT);
  }

  /** It ends with this JVM, at the end of what it reads. */
  private String startCommands(byte[] program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("python3", sendFile(program)));
    command.addAll(arguments);
    command.add("--until-eof");
    Path log = folder.resolve("commands.log");
    server = new ProcessBuilder(command).redirectError(log.toFile()).start();
    String printed = server.inputReader(UTF_8).readLine();
    return printed == null ? Files.readString(log, UTF_8) : printed;
  }

  @Override
  protected String newFileName() {
    return folder.resolve(Scratch.newName()).toString();
  }

  @Override
  protected String sendFile(byte[] content) {
    try {
      return Files.write(Path.of(newFileName()), content).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected byte[] fetchFile(String name) {
    try {
      return Files.readAllBytes(Path.of(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  @SuppressWarnings("SystemOut") // at the JVM's end, no logger is sure to be left
  public void close() {
    for (String pool = pools.poll(); pool != null; pool = pools.poll()) {
      try {
        deletePool(pool);
      } catch (IllegalStateException e) {
        System.err.println("Pool " + pool + " of the tests is left: " + e.getMessage());
      }
    }
  }
}
