// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real Ceph cluster, with what tests need to set it up and to look at it from outside: the
 * command lines of Ceph's own tools, so that nothing of radosfs is used to check radosfs.
 *
 * <p>{@link #shared()} is the one cluster of a test run. Tests keep apart by pools of their own.
 */
public abstract class CephCluster implements AutoCloseable {

  /** Names the ceph.conf of a cluster to test on, instead of starting one in a container. */
  public static final String CONF_PROPERTY = "ceph.conf";

  /** Erasure-coded pools of two data and one coding chunk need as many. */
  static final int OSDS_FOR_ERASURE_CODING = 3;

  private static final AtomicInteger POOL_COUNT = new AtomicInteger();

  /** A cephx user: {@code id} is what librados is given ("spark" for client.spark). */
  public record User(String id, Path keyring) {
    public String entity() {
      return "client." + id;
    }
  }

  /** What a command printed, and how it ended. */
  public record Result(int exitCode, String stdout, String stderr) {}

  /**
   * The cluster of this test run; the first call starts it. It ends with the JVM.
   *
   * @throws IllegalStateException if there can be none, saying what to do; every call then throws
   *     the same
   */
  public static CephCluster shared() {
    return SharedCephCluster.get();
  }

  /** The ceph.conf for clients. Every user's keyring is found through it, so an id is enough. */
  public abstract Path conf();

  /** The user who may do everything. */
  public abstract User admin();

  /** Runs a command of Ceph's where its tools are, with the cluster's conf. */
  protected abstract Result run(List<String> command);

  /** Runs any command there. */
  protected abstract Result execute(List<String> command);

  /** Puts a file where {@link #run} sees it, and returns its name there. */
  protected abstract String sendFile(byte[] content);

  /** Reads a file that {@link #run} wrote. */
  protected abstract byte[] fetchFile(String name);

  /** A name for a file that {@link #run} is to write. */
  protected abstract String newFileName();

  @Override
  public abstract void close();

  /** Runs {@code ceph ARGUMENTS}, returns what it printed, and throws if it failed. */
  public final String ceph(String... arguments) {
    return check(cephCommand("ceph", List.of(arguments)));
  }

  /** Like {@link #ceph}, for commands that may fail. */
  public final Result tryCeph(String... arguments) {
    return run(cephCommand("ceph", List.of(arguments)));
  }

  /** The major version of the monitor, such as 18. */
  public final int release() {
    String version = ceph("version");
    return Integer.parseInt(version.replaceFirst("(?s)^ceph version (\\d+)\\..*", "$1"));
  }

  /** Runs {@code rados -p POOL ARGUMENTS}, returns what it printed, and throws if it failed. */
  public final String rados(String pool, String... arguments) {
    return check(radosCommand(pool, arguments));
  }

  /** Like {@link #rados}, for commands that may fail. */
  public final Result tryRados(String pool, String... arguments) {
    return run(radosCommand(pool, arguments));
  }

  /** Like {@link #tryRados}, as that user. */
  public final Result tryRadosAs(User user, String pool, String... arguments) {
    try {
      String keyring = sendFile(Files.readAllBytes(user.keyring()));
      List<String> all = new ArrayList<>(List.of("--name", user.entity(), "--keyring", keyring));
      all.addAll(List.of(arguments));
      return tryRados(pool, all.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the keyring of " + user.entity(), e);
    }
  }

  /** The names of all objects in a pool's default namespace, sorted. */
  public final List<String> listObjects(String pool) {
    return rados(pool, "ls").lines().sorted().toList();
  }

  /** An object's bytes, by {@code rados get}. */
  public final byte[] getObject(String pool, String object) {
    String file = newFileName();
    rados(pool, "get", object, file);
    return fetchFile(file);
  }

  /** Writes an object by {@code rados put}. */
  public final void putObject(String pool, String object, byte[] content) {
    rados(pool, "put", object, sendFile(content));
  }

  /** A new replicated pool with one copy (tests need speed, not safety); returns its name. */
  public final String createPool() {
    String pool = newPoolName("it");
    createPool(pool);
    return pool;
  }

  /** A new replicated pool of that name, with one copy. */
  public final void createPool(String pool) {
    ceph("osd", "pool", "create", pool, "16", "16", "replicated", "--size", "1");
    poolCreated(pool);
    ceph("osd", "pool", "application", "enable", pool, "radosfs");
  }

  /** The same as {@link #createErasureCodedPool}; nothing on a cluster with too few OSDs. */
  public final Optional<String> createErasureCodedPoolIfItCan() {
    return osds() < OSDS_FOR_ERASURE_CODING
        ? Optional.empty()
        : Optional.of(createErasureCodedPool());
  }

  private int osds() {
    return ceph("osd", "ls").lines().toList().size();
  }

  /**
   * A new erasure-coded pool of two data and one coding chunk, without overwrites; returns its
   * name.
   */
  public final String createErasureCodedPool() {
    int osds = osds();
    if (osds < OSDS_FOR_ERASURE_CODING) {
      throw new IllegalStateException(
          "an erasure-coded pool needs %d OSDs, and this cluster has %d: make one with scripts/ceph-dev up --osds %d"
              .formatted(OSDS_FOR_ERASURE_CODING, osds, OSDS_FOR_ERASURE_CODING));
    }
    String profile = "radosfs-test-2-1";
    ceph("osd", "erasure-code-profile", "set", profile, "k=2", "m=1", "crush-failure-domain=osd");
    String pool = newPoolName("it-ec");
    ceph("osd", "pool", "create", pool, "8", "8", "erasure", profile);
    poolCreated(pool);
    ceph("osd", "pool", "application", "enable", pool, "radosfs");
    return pool;
  }

  /** Removes a pool and all that is in it. */
  public final void deletePool(String pool) {
    ceph("osd", "pool", "rm", pool, pool, "--yes-i-really-really-mean-it");
  }

  /**
   * Makes a cephx user with these rights, such as {@code "mon", "allow r", "osd", "allow rwx
   * pool=p"}, or gives these rights to the one there is.
   */
  public final User createUser(String id, String... caps) {
    ceph("auth", "get-or-create", "client." + id);
    List<String> rights = new ArrayList<>(List.of("auth", "caps", "client." + id));
    rights.addAll(List.of(caps));
    ceph(rights.toArray(String[]::new));
    return writeKeyring(id, ceph("auth", "print-key", "client." + id).strip());
  }

  /** Called for each pool made here, so that a cluster that outlives the tests can be cleaned. */
  protected void poolCreated(String pool) {}

  /** The folder of {@link #conf()} and of the keyrings. */
  protected abstract Path folder();

  /** Writes a keyring where {@link #conf()} says that keyrings are. */
  protected final User writeKeyring(String id, String key) {
    Path keyring = folder().resolve("ceph.client." + id + ".keyring");
    try {
      Files.writeString(keyring, "[client.%s]\n\tkey = %s\n".formatted(id, key), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + keyring, e);
    }
    return new User(id, keyring);
  }

  /** Unique among all runs on the same cluster, and it says whose it is. */
  private static String newPoolName(String prefix) {
    return "%s-%d-%s-%d"
        .formatted(
            prefix,
            ProcessHandle.current().pid(),
            Long.toString(System.currentTimeMillis(), Character.MAX_RADIX),
            POOL_COUNT.incrementAndGet());
  }

  private static List<String> radosCommand(String pool, String... arguments) {
    List<String> command = new ArrayList<>(List.of("-p", pool));
    command.addAll(List.of(arguments));
    return cephCommand("rados", command);
  }

  private static List<String> cephCommand(String tool, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(tool));
    command.addAll(arguments);
    return command;
  }

  private String check(List<String> command) {
    Result result = run(command);
    if (result.exitCode() != 0) {
      throw new IllegalStateException(
          "`%s` failed with exit code %d: %s%s"
              .formatted(
                  String.join(" ", command), result.exitCode(), result.stderr(), result.stdout()));
    }
    return result.stdout();
  }
}
