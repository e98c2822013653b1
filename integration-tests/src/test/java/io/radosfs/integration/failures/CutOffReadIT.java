// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.ceph.OwnCephCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Who does not answer does not keep others waiting for ever: an OSD that is suspended, when another
 * one has said that the connection is blocklisted, and a monitor.
 */
class CutOffReadIT {

  private static final int SUSPENDED = 0;
  private static final int OTHER = 1;
  private static final String POOL = "cut-off";

  private static OwnCephCluster own;

  @BeforeAll
  static void startCluster() {
    own = OwnCephCluster.start(2);
    own.ceph().ceph("osd", "pool", "create", POOL, "16", "16", "replicated", "--size", "1");
    own.ceph().ceph("osd", "pool", "application", "enable", POOL, "radosfs");
  }

  @AfterEach
  void makeWell() {
    own.resumeOsd(SUSPENDED);
    own.resumeMonitor();
    own.ceph().ceph("osd", "blocklist", "clear");
    // One that stood still for long was taken for dead, and comes back.
    own.startDead();
  }

  @AfterAll
  static void stopCluster() {
    if (own != null) {
      own.close();
    }
  }

  private static LibradosCluster connect(Duration timeout) throws IOException {
    CephCluster.User admin = own.ceph().admin();
    return LibradosCluster.connect(
        ClusterSettings.builder()
            .confPath(own.ceph().conf().toString())
            .user(admin.id())
            .keyring(admin.keyring().toString())
            .operationTimeout(timeout)
            .build());
  }

  /** An object that this OSD has. */
  private static String objectOn(int osd) throws IOException {
    for (int i = 0; ; i++) {
      String name = "object-" + i;
      String map = own.ceph().ceph("osd", "map", POOL, name, "--format", "json");
      if (new ObjectMapper().readTree(map).get("acting").get(0).asInt() == osd) {
        own.ceph().putObject(POOL, name, name.getBytes(UTF_8));
        return name;
      }
    }
  }

  private static Throwable failureOf(CompletableFuture<?> operation) {
    return catchThrowable(() -> Await.get(operation));
  }

  /**
   * The client library would wait for ever, as the monitor alone knows whether the pool was made
   * after this client had its map.
   */
  @Test
  @Timeout(120)
  void aPoolThatIsNotInTheMapIsWaitedForWithinTheBound() throws Exception {
    WriteOp write = WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[10])).build();
    try (LibradosCluster cluster = connect(Duration.ofSeconds(4))) {
      own.suspendMonitor();
      assertThat(catchThrowable(() -> cluster.open("later", "")))
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).is(Kind.TIMED_OUT), "in time")
          .hasMessageContaining("looking for pool later in the monitors' newest map");
      cluster.open(POOL, "").write("while no monitor answers", write);
      Thread.currentThread().interrupt();
      assertThat(catchThrowable(() -> cluster.open("later", "")))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();

      own.resumeMonitor();
      own.ceph().ceph("osd", "pool", "create", "later", "1");
      own.ceph().putObject("later", "waits for the placement group", new byte[1]);
      cluster.open("later", "").write("once it answers", write);
    }
  }

  /** So whoever follows the connection repeats the read with the next one. */
  @Test
  @Timeout(120)
  void aReadFailsByTheBlocklistAndAWriteMayHaveTakenEffect() throws Exception {
    String waiting = objectOn(SUSPENDED);
    String answered = objectOn(OTHER);
    try (LibradosCluster cluster = connect(Duration.ofMinutes(5))) {
      ObjectStore store = cluster.open(POOL, "");
      store.read(waiting, ReadOp.builder().size().build());
      own.suspendOsd(SUSPENDED);
      CompletableFuture<?> read = store.readAsync(waiting, ReadOp.builder().size().build());
      CompletableFuture<?> write =
          store.writeAsync(
              waiting, WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[10])).build());
      own.ceph().ceph("osd", "blocklist", "add", cluster.address());
      Throwable told = null;
      while (told == null) {
        told = catchThrowable(() -> store.read(answered, ReadOp.builder().size().build()));
      }
      assertThat(told).matches(e -> ((StoreException) e).is(Kind.BLOCKLISTED), "blocklisted");
      assertThat(read).isNotDone();
      assertThat(write).isNotDone();

      store.close();

      assertThat(failureOf(read))
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).is(Kind.BLOCKLISTED), "by the blocklist");
      assertThat(failureOf(write))
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).mayHaveTakenEffect(), "perhaps applied");
    }
  }
}
