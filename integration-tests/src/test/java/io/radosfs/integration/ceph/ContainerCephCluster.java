// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;

/**
 * A cluster in a container of the image that {@code src/test/docker/Dockerfile} describes: the
 * monitor, the manager and the OSDs, started by {@code scripts/ceph-dev}.
 *
 * <p>The container uses the host's network, bound to 127.0.0.1 on free ports: a Ceph monitor tells
 * its clients the addresses of all daemons, so they must be the same inside and outside.
 */
final class ContainerCephCluster extends CephCluster {

  private static final String DOCKERFILE = "integration-tests/src/test/docker/Dockerfile";

  /** Where things are in the container, as the Dockerfile says. */
  static final String CLUSTER_FOLDER = "/cluster";

  static final String SCRIPT = "/radosfs/scripts/ceph-dev";
  private static final String CLUSTER_CONF = CLUSTER_FOLDER + "/ceph.conf";
  private static final String READY = ".*The cluster stays until this is ended.*";
  private static final Duration START_TIMEOUT = Duration.ofSeconds(150);

  /**
   * Marks our containers with the JVM that started them, so that a later run removes those of a
   * killed one.
   */
  private static final String OWNER_LABEL = "io.radosfs.test-owner";

  /** A command may start daemons, and wait until the cluster is healthy. */
  private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(5);

  private static final String PROGRAM = "/tmp/commands.py";

  private final GenericContainer<?> container;
  private final CommandServer commands;
  private final Path folder;
  private final Path conf;
  private final User admin;

  private ContainerCephCluster(GenericContainer<?> container) {
    this.container = container;
    this.commands = CommandServer.start(this::startCommands);
    this.folder = Scratch.folder();
    this.conf = folder.resolve("ceph.conf");
    ClientConf.write(conf, ceph("config", "generate-minimal-conf"));
    this.admin = writeKeyring("admin", ceph("auth", "print-key", "client.admin").strip());
  }

  static ContainerCephCluster start(int osds) {
    GenericContainer<?> container =
        new GenericContainer<>(preparedImage())
            .withNetworkMode("host")
            .withCommand("--osds", Integer.toString(osds))
            // A busy machine takes its time; the container says better than a timeout here what is
            // wrong.
            .withEnv("RADOSFS_CEPH_WAIT", "120")
            .withLabel(OWNER_LABEL, owner())
            .waitingFor(Wait.forLogMessage(READY, 1).withStartupTimeout(START_TIMEOUT));
    MemoryDisk.options().ifPresent(options -> container.withTmpFs(Map.of(CLUSTER_FOLDER, options)));
    try {
      container.start();
      return new ContainerCephCluster(container);
    } catch (RuntimeException e) {
      String logs = container.getContainerId() == null ? "" : "\nIts log:\n" + container.getLogs();
      container.stop();
      throw new IllegalStateException(
          "The container with the Ceph cluster did not start: %s%s".formatted(rootMessage(e), logs),
          e);
    }
  }

  /**
   * The image's name, after cleaning up. One JVM at a time: of several that begin together, the
   * first one builds the image, and the others find it.
   */
  private static synchronized String preparedImage() {
    Path lock = repository().resolve("integration-tests/target/ceph-image.lock");
    try {
      Files.createDirectories(lock.getParent());
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        removeContainersOfDeadRuns();
        return image().get();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + lock, e);
    }
  }

  /**
   * Kept between runs under one name for each release, so that only the first run pays for
   * installing Ceph in it.
   */
  private static ImageFromDockerfile image() {
    Path top = repository();
    Release release = Release.wanted();
    return new ImageFromDockerfile("radosfs-test-ceph-" + release.major(), false)
        .withBuildArg("BASE", release.baseImage())
        .withFileFromPath("Dockerfile", top.resolve(DOCKERFILE))
        .withFileFromPath("scripts/ceph-dev", top.resolve("scripts/ceph-dev"))
        .withFileFromPath("scripts/lib", top.resolve("scripts/lib"))
        // apt in the build needs the same network as the host, as everything else here has.
        .withBuildImageCmdModifier(build -> build.withNetworkMode("host"));
  }

  /**
   * The top of the repository: Maven runs the tests in the module's folder, an IDE perhaps
   * elsewhere.
   */
  static Path repository() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.isRegularFile(dir.resolve(DOCKERFILE))) {
        return dir;
      }
    }
    throw new IllegalStateException(
        "run the tests from within the repository: no %s above %s"
            .formatted(DOCKERFILE, Path.of("").toAbsolutePath()));
  }

  /** Process id and start time: an id alone is another process's some day. */
  private static String owner() {
    return ownerOf(ProcessHandle.current());
  }

  private static String ownerOf(ProcessHandle process) {
    return process.pid()
        + "@"
        + process.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L);
  }

  /** Without Ryuk, a JVM that was killed leaves its container: three OSDs eating memory. */
  private static void removeContainersOfDeadRuns() {
    DockerClient docker = DockerClientFactory.instance().client();
    for (Container found :
        docker.listContainersCmd().withShowAll(true).withLabelFilter(List.of(OWNER_LABEL)).exec()) {
      String owner = Map.copyOf(found.getLabels()).getOrDefault(OWNER_LABEL, "");
      boolean alive =
          ProcessHandle.allProcesses().anyMatch(process -> ownerOf(process).equals(owner));
      if (!alive) {
        try {
          docker.removeContainerCmd(found.getId()).withForce(true).withRemoveVolumes(true).exec();
        } catch (NotFoundException e) {
          // Another run removed it first.
        }
      }
    }
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
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
  protected Result run(List<String> command) {
    List<String> full = new ArrayList<>(command);
    full.addAll(1, List.of("--conf", CLUSTER_CONF));
    return execute(full);
  }

  @Override
  protected Result execute(List<String> command) {
    return commands.run(command, COMMAND_TIMEOUT);
  }

  /** In the background; the server ends with the container. */
  private String startCommands(byte[] program, List<String> arguments) throws IOException {
    container.copyFileToContainer(Transferable.of(program), PROGRAM);
    String start =
        "python3 %1$s %2$s >%1$s.out 2>&1 </dev/null & until [ -s %1$s.out ]; do sleep 0.05; done; cat %1$s.out"
            .formatted(PROGRAM, String.join(" ", arguments));
    try {
      ExecResult result = container.execInContainer(UTF_8, "timeout", "60", "bash", "-c", start);
      return result.getStdout() + result.getStderr();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting " + PROGRAM, e);
    }
  }

  @Override
  protected String newFileName() {
    return "/tmp/" + Scratch.newName();
  }

  @Override
  protected String sendFile(byte[] content) {
    String name = newFileName();
    container.copyFileToContainer(Transferable.of(content), name);
    return name;
  }

  @Override
  protected byte[] fetchFile(String name) {
    return container.copyFileFromContainer(name, InputStream::readAllBytes);
  }

  @Override
  public void close() {
    container.stop();
  }
}
