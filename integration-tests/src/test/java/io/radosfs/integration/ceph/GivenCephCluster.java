// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A cluster that runs already. The tests make pools and users of their own on it and remove the
 * pools at the end; its other pools are left alone.
 */
final class GivenCephCluster extends CephCluster {

  private final Path givenConf;
  private final Path folder;
  private final Path conf;
  private final User admin;
  private final Queue<String> pools = new ConcurrentLinkedQueue<>();

  private GivenCephCluster(Path givenConf, Path folder, String adminId) {
    this.givenConf = givenConf;
    this.folder = folder;
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
    return LocalCommand.run(folder, command);
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
