// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.ceph.OwnCephCluster;
import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.integration.tables.Deep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A write that an OSD applies and then answers as one that a blocklisted client may not make: it
 * waits for its second copy, whose OSD is suspended, while the client is blocklisted and the
 * primary is marked down, so that the placement group peers anew and the write is taken up again.
 *
 * <p>The case that loses data in a client that takes the answer for a refusal is the one in which
 * it may write again by the time that it cleans up.
 */
class BlocklistedWriteIT {

  private static final byte[] OLD = "old content".getBytes(UTF_8);
  private static final byte[] NEW = "new".getBytes(UTF_8);
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Something that changes {@code /d/f}, by a last write of the index of {@code /d}. */
  private interface Change {
    void on(FileSystem fs, Path file) throws IOException;
  }

  private enum Changed {
    OVERWRITE(
        (fs, file) -> {
          try (var out = fs.create(file, true)) {
            out.write(NEW);
          }
        }),
    RENAME((fs, file) -> assertThat(fs.rename(file, other(file))).isTrue()),
    DELETE((fs, file) -> assertThat(fs.delete(file, false)).isTrue());

    private final Change change;

    Changed(Change change) {
      this.change = change;
    }
  }

  private static OwnCephCluster own;

  private final String user = "blocklisted-" + UUID.randomUUID();
  private final AtomicReference<Throwable> answer = new AtomicReference<>();
  private final AtomicReference<Throwable> unprepared = new AtomicReference<>();
  private String pool;
  private JobFiles admins;
  private Configuration users;

  @BeforeAll
  static void startCluster() {
    own = OwnCephCluster.start(3);
  }

  @AfterAll
  static void stopCluster() throws IOException {
    HookedConnections.closeAll();
    if (own != null) {
      own.close();
    }
  }

  @BeforeEach
  void createPool() throws IOException {
    CephCluster ceph = own.ceph();
    pool = "it-two-copies-" + UUID.randomUUID();
    ceph.ceph("osd", "pool", "create", pool, "1", "1", "replicated", "--size", "2");
    ceph.ceph("osd", "pool", "application", "enable", pool, "radosfs");
    CephCluster.User given =
        ceph.createUser(user, "mon", "allow r", "osd", "allow rw pool=" + pool);
    admins = new JobFiles(ceph, pool, JobFiles.configuration(ceph));
    admins.write("d/f", OLD);
    users = JobFiles.configuration(ceph);
    users.set("fs.rados.ceph.user", given.entity());
    users.set("fs.rados.ceph.keyring", given.keyring().toString());
    users.set("fs.rados.cluster.factory", HookedConnections.class.getName());
    users.set("fs.rados.operation.timeout", "5m");
  }

  @AfterEach
  void makeWell() {
    HookedConnections.unhook();
    for (int osd = 0; osd < 3; osd++) {
      own.resumeOsd(osd);
    }
    own.ceph().ceph("osd", "blocklist", "clear");
    own.ceph().deletePool(pool);
  }

  static Stream<Changed> changes() {
    return Stream.of(Changed.values()).limit(Deep.choose(1, Changed.values().length));
  }

  /**
   * What it did on the connection that is lost, it says that it does not know; nothing is lost, and
   * nobody is told that it failed.
   */
  @ParameterizedTest
  @MethodSource("changes")
  void aWriteThatWasAppliedIsNotTakenForRefused(Changed changed) throws Exception {
    Throwable thrown;
    try (FileSystem fs = open()) {
      hookIndexWrite();
      thrown = catchThrowable(() -> changed.change.on(fs, file()));
    }
    assertThat(unprepared.get()).as("what kept the test from its case").isNull();
    assertAnsweredBlocklisted();
    assertIsAsAfter(changed);
    assertThat(thrown).isInstanceOf(OutcomeUnknownException.class);
    admins.pool().assertCleanAfterCollection();
  }

  private Path file() {
    return admins.path("d/f");
  }

  private static Path other(Path file) {
    return new Path(file.getParent(), "g");
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create("rados://" + pool + "/"), users);
  }

  private void assertAnsweredBlocklisted() {
    assertThat(answer.get()).isInstanceOf(StoreException.class);
    StoreException answered = (StoreException) answer.get();
    assertThat(answered.kind()).isEqualTo(Kind.BLOCKLISTED);
    assertThat(answered.mayHaveTakenEffect()).isTrue();
  }

  private void assertIsAsAfter(Changed changed) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://" + pool), admins.conf())) {
      switch (changed) {
        case OVERWRITE -> assertThat(content(fs, file())).isEqualTo(NEW);
        case RENAME -> {
          assertThat(content(fs, other(file()))).isEqualTo(OLD);
          assertThat(fs.exists(file())).isFalse();
        }
        case DELETE -> assertThat(fs.exists(file())).isFalse();
      }
    }
  }

  private static byte[] content(FileSystem fs, Path path) throws IOException {
    try (var in = fs.open(path)) {
      return in.readAllBytes();
    }
  }

  /**
   * Has the next write of the index of {@code /d} applied and answered by EBLOCKLISTED. The client
   * is off the blocklist again by the time that it has that answer.
   */
  private void hookIndexWrite() {
    HookedConnections.hook(
        write -> {
          if (!write.object().equals("d/")) {
            return write.go();
          }
          HookedConnections.unhook();
          JsonNode acting = json("osd", "map", pool, "d/").get("acting");
          int primary = acting.get(0).asInt();
          int copy = acting.get(1).asInt();
          own.suspendOsd(copy);
          CompletableFuture<Void> trouble =
              CompletableFuture.runAsync(() -> blocklistAndPeerAnew(primary, copy));
          try {
            return write.go();
          } catch (IOException e) {
            answer.set(e);
            throw e;
          } finally {
            forgive(trouble);
          }
        });
  }

  /** A failure is the test's, and must not be taken for one of the write. */
  private void forgive(Future<?> trouble) {
    try {
      trouble.get(BOUND.multipliedBy(2).toSeconds(), TimeUnit.SECONDS);
      own.ceph().ceph("osd", "blocklist", "clear");
      waitUntilForgiven();
    } catch (Exception | AssertionError e) {
      unprepared.set(e);
    }
  }

  private void blocklistAndPeerAnew(int primary, int copy) {
    waitFor(
        () ->
            own.ceph()
                .ceph("tell", "osd." + primary, "dump_ops_in_flight")
                .contains("waiting for sub ops"));
    blocklist();
    long before = upFrom(primary);
    own.ceph().ceph("osd", "down", Integer.toString(primary));
    // With the primary's log: while it was down its copy, alone, could not have become active.
    waitFor(() -> upFrom(primary) > before && isUp(primary));
    own.resumeOsd(copy);
  }

  private void blocklist() {
    for (JsonNode session : json("tell", "mon.0", "sessions")) {
      if (session.get("entity_name").asText().equals("client." + user)) {
        JsonNode address = session.get("addrs").get("addrvec").get(0);
        own.ceph()
            .ceph(
                "osd",
                "blocklist",
                "add",
                address.get("addr").asText() + "/" + address.get("nonce").asText());
      }
    }
  }

  /** The OSDs learn of it when they are told the map. */
  private void waitUntilForgiven() {
    long epoch = json("osd", "dump").get("epoch").asLong();
    for (int osd = 0; osd < 3; osd++) {
      int each = osd;
      waitFor(() -> newestMap(each) >= epoch);
    }
  }

  /** The newest map that an OSD has; -1 while it comes up again and takes no commands. */
  private long newestMap(int osd) {
    CephCluster.Result told = own.ceph().tryCeph("tell", "osd." + osd, "status", "-f", "json");
    return told.exitCode() == 0 ? parse(told.stdout()).get("newest_map").asLong() : -1;
  }

  private boolean isUp(int osd) {
    return osd(osd).get("up").asInt() == 1;
  }

  private long upFrom(int osd) {
    return osd(osd).get("up_from").asLong();
  }

  private JsonNode osd(int id) {
    for (JsonNode osd : json("osd", "dump").get("osds")) {
      if (osd.get("osd").asInt() == id) {
        return osd;
      }
    }
    throw new IllegalStateException("no osd." + id);
  }

  private static JsonNode json(String... command) {
    String[] formatted = Arrays.copyOf(command, command.length + 2);
    formatted[command.length] = "-f";
    formatted[command.length + 1] = "json";
    return parse(own.ceph().ceph(formatted));
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void waitFor(BooleanSupplier condition) {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited for " + BOUND);
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }
}
