// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import io.radosfs.connector.store.librados.LocalNeed;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.SmallStackProgram;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connecting to a real Ceph, and what it says when that, or a pool, cannot be had. */
class LibradosClusterIT {

  private static final String WRONG_KEY = "AQDBIKBn4sT9IRAAyE8aGLcqTvbSH9yO0vFQNQ==";

  private static CephCluster ceph;
  private static String pool;

  @TempDir Path folder;

  @BeforeAll
  static void startCluster() {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
  }

  @AfterAll
  static void removePool() {
    ceph.deletePool(pool);
  }

  @Test
  void connectsAsTheUserWithOrWithoutItsType() throws Exception {
    for (String user : new String[] {ceph.admin().id(), ceph.admin().entity()}) {
      try (LibradosCluster cluster = LibradosCluster.connect(given().user(user).build())) {
        assertThat(cluster.fsid()).isEqualTo(ceph.ceph("fsid").strip());
      }
    }
  }

  @Test
  void connectsWithAKeyAndAMonitorAlone() throws Exception {
    ClusterSettings settings =
        given()
            .keyring("/nonexistent")
            .key(adminKey())
            .cephOptions(Map.of("objecter_inflight_ops", "16"))
            .build();
    try (LibradosCluster cluster = LibradosCluster.connect(settings)) {
      assertThat(cluster.fsid()).isNotEmpty();
      assertThat(cluster.toString()).doesNotContain(adminKey()).contains("key=<hidden>");
    }
  }

  /** Loading librados takes more stack than a Java thread has. */
  @Test
  void connectsWithLittleStackLeft() throws Exception {
    String output =
        ChildJvm.run(
            SmallStackProgram.class,
            ceph.conf().toString(),
            ceph.admin().id(),
            ceph.admin().keyring().toString());

    assertThat(output).contains("fsid " + ceph.ceph("fsid").strip());
  }

  @Test
  void connectingCanBeInterrupted() {
    Thread.currentThread().interrupt();
    IOException failure = connectFails(given());

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure).isInstanceOf(InterruptedIOException.class);
  }

  @Test
  void namesTheConfThatIsNotThereAndTheSetting() {
    IOException failure = connectFails(given().confPath("/no/such/ceph.conf"));

    assertThat(failure).hasMessageContaining("/no/such/ceph.conf");
    assertThat(failure).hasMessageContaining("fs.rados.ceph.conf");
  }

  @Test
  void saysThatTheConfNamesNoMonitor() throws Exception {
    Path conf = Files.writeString(folder.resolve("empty.conf"), "[global]\n", UTF_8);

    IOException failure = connectFails(given().confPath(conf.toString()).key(adminKey()));

    assertThat(failure).hasMessageContaining("mon_host");
  }

  /** Five monitors, each with both of its addresses, take more than rados-java reads. */
  @Test
  void findsTheMonitorsHoweverMany() throws Exception {
    String monitors =
        IntStream.range(101, 110)
            .mapToObj("[v2:192.168.100.%1$d:3300/0,v1:192.168.100.%1$d:6789/0]"::formatted)
            .collect(Collectors.joining(","));
    Path conf =
        Files.writeString(
            folder.resolve("long.conf"), "[global]\nmon_host = " + monitors + "\n", UTF_8);

    assertThat(
            LibradosCluster.find(
                LocalNeed.CONFIGURATION, given().confPath(conf.toString()).build()))
        .endsWith(monitors);
  }

  @Test
  void saysWhichUserHasNoKeyring() {
    IOException failure = connectFails(given().keyring("/no/such.keyring"));

    assertThat(((StoreException) failure).kind()).isEqualTo(Kind.PERMISSION_DENIED);
    assertThat(failure).hasMessageContaining("/no/such.keyring");
    assertThat(failure).hasMessageContaining("client.admin");
  }

  @Test
  void saysThatTheKeyIsWrongAndDoesNotShowIt() {
    IOException failure = connectFails(given().key(WRONG_KEY));

    assertThat(((StoreException) failure).kind()).isEqualTo(Kind.PERMISSION_DENIED);
    assertThat(failure).hasMessageContaining("client.admin");
    assertThat(failure.toString()).doesNotContain(WRONG_KEY);
  }

  @Test
  void namesTheSettingOfAnOptionThatCephDoesNotHave() {
    IOException failure = connectFails(given().cephOptions(Map.of("objecter_inflight_opps", "16")));

    assertThat(failure)
        .hasMessageContaining("Ceph has no option objecter_inflight_opps")
        .hasMessageContaining("fs.rados.ceph.objecter_inflight_opps")
        .hasMessageNotContaining("key");
  }

  @Test
  void namesTheSettingOfAValueThatCephDoesNotTake() {
    IOException failure =
        connectFails(given().cephOptions(Map.of("objecter_inflight_ops", "many")));

    assertThat(failure)
        .hasMessageContaining("Ceph does not take what fs.rados.ceph.objecter_inflight_ops says")
        .hasMessageContaining("EINVAL");
  }

  /** Ceph's own bound is five minutes. */
  @Test
  @Timeout(60)
  void givesUpOnAMonitorThatDoesNotAnswerWithinTheBound() throws Exception {
    Path conf =
        Files.writeString(
            folder.resolve("away.conf"), "[global]\nmon_host = [v2:127.0.0.1:9]\n", UTF_8);

    IOException failure =
        connectFails(
            given()
                .confPath(conf.toString())
                .key(adminKey())
                .connectTimeout(Duration.ofSeconds(2)));

    assertThat(((StoreException) failure).kind()).isEqualTo(Kind.TIMED_OUT);
    assertThat(failure).hasMessageContaining("127.0.0.1:9");
  }

  @Test
  void namesThePoolThatIsNotThereAndHowToCreateIt() throws Exception {
    try (LibradosCluster cluster = LibradosCluster.connect(given().build())) {
      StoreException failure =
          catchThrowableOfType(() -> cluster.open("no-such-pool", ""), StoreException.class);

      assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND);
      assertThat(failure).hasMessageContaining("ceph osd pool create no-such-pool");
    }
  }

  @Test
  void aClosedClusterAndItsStoresRefuse() throws Exception {
    LibradosCluster cluster = LibradosCluster.connect(given().build());
    ObjectStore store = cluster.open(pool, "");
    cluster.close();
    cluster.close();

    assertThat(catchThrowableOfType(() -> cluster.open(pool, ""), StoreException.class))
        .hasMessageContaining("closed");
    assertThat(
            catchThrowableOfType(
                () -> store.read("a", ReadOp.builder().size().build()), StoreException.class))
        .hasMessageContaining("closed");
    assertThat(catchThrowableOfType(store::usage, StoreException.class))
        .hasMessageContaining("closed");
    store.close();
  }

  /**
   * The client library lets so many operations and bytes be under way, of all pools together,
   * unless it is told otherwise; then the call that starts one waits.
   */
  @Test
  @Timeout(240)
  void aPoolThatDoesNotAnswerLeavesTheOthersAlone() throws Exception {
    String silent = ceph.createPool();
    try (LibradosCluster cluster =
        LibradosCluster.connect(given().operationTimeout(Duration.ofMinutes(3)).build())) {
      ObjectStore answering = cluster.open(pool, "");
      ObjectStore waiting = cluster.open(silent, "");
      String copies = fallSilent(silent);
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 1_100; i++) {
        int length = i < 40 ? 4 << 20 : 1;
        writes.add(
            waiting.writeAsync(
                "o" + i, WriteOp.builder().writeFull(ByteBuffer.allocate(length)).build()));
      }

      answering.write("a", WriteOp.builder().writeFull(ByteBuffer.allocate(1)).build());

      assertThat(writes).noneMatch(CompletableFuture::isDone);
      ceph.ceph("osd", "pool", "set", silent, "min_size", "1");
      ceph.ceph("osd", "pool", "set", silent, "size", copies, "--yes-i-really-mean-it");
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).get();
    } finally {
      ceph.deletePool(silent);
    }
  }

  /** Has the pool want more copies than there are OSDs; returns how many it wanted. */
  private static String fallSilent(String pool) throws Exception {
    String copies = ceph.ceph("osd", "pool", "get", pool, "size").strip().replace("size: ", "");
    String tooMany = Long.toString(ceph.ceph("osd", "ls").lines().count() + 1);
    ceph.ceph("osd", "pool", "set", pool, "size", tooMany);
    ceph.ceph("osd", "pool", "set", pool, "min_size", tooMany);
    try (LibradosCluster probe =
        LibradosCluster.connect(given().operationTimeout(Duration.ofSeconds(2)).build())) {
      ObjectStore store = probe.open(pool, "");
      WriteOp touch = WriteOp.builder().writeFull(ByteBuffer.allocate(1)).build();
      while (catchThrowable(() -> store.write("probe", touch)) == null) {
        Thread.sleep(200);
      }
    }
    return copies;
  }

  /** One that goes on for longer than closing waits would keep the connection for ever. */
  @Test
  @Timeout(60)
  void aListingEndsWhereItsConnectionIsClosed() throws Exception {
    LibradosCluster cluster = LibradosCluster.connect(given().build());
    ObjectStore store = cluster.open(pool, "listed");
    for (int i = 0; i < 10; i++) {
      store.write("o" + i, WriteOp.builder().writeFull(ByteBuffer.allocate(1)).build());
    }
    List<String> listed = new ArrayList<>();
    AtomicReference<CompletableFuture<Void>> closed = new AtomicReference<>();

    assertThat(
            catchThrowableOfType(
                () ->
                    store.list(
                        name -> {
                          listed.add(name);
                          closed.set(CompletableFuture.runAsync(() -> close(cluster)));
                          awaitClosed(store);
                        }),
                StoreException.class))
        .hasMessageContaining("list in pool")
        .hasMessageContaining("closed");

    assertThat(listed).hasSize(1);
    closed.get().get();
  }

  private static void close(LibradosCluster cluster) {
    try {
      cluster.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitClosed(ObjectStore store) {
    ReadOp look = ReadOp.builder().size().build();
    while (catchThrowable(() -> store.read("o0", look)) == null) {
      Thread.onSpinWait();
    }
  }

  /** As by a killed task, whose reader had read ahead. */
  @Test
  void anInterruptedThreadLeavesNoConnectionBehind() throws Exception {
    for (int round = 0; round < 10; round++) {
      long before = connections();
      LibradosCluster cluster = LibradosCluster.connect(given().build());
      ObjectStore store = cluster.open(pool, "");
      store.write("large", WriteOp.builder().writeFull(ByteBuffer.allocate(8 << 20)).build());
      assertThat(connections()).isGreaterThan(before);
      for (int i = 0; i < 32; i++) {
        var unused =
            store.readAsync(
                "large", ReadOp.builder().data(0, ByteBuffer.allocateDirect(8 << 20)).build());
      }
      Thread.currentThread().interrupt();
      store.close();
      cluster.close();
      assertThat(Thread.interrupted()).isTrue();
      // One that another test has given up may still be on its way.
      for (int look = 0; look < 100 && connections() > before; look++) {
        Thread.sleep(100);
      }
      assertThat(connections()).as("in round %d", round).isLessThanOrEqualTo(before);
    }
  }

  /** The client library has one such thread for each. */
  private static long connections() throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.map(LibradosClusterIT::name).filter("ms_dispatch"::equals).count();
    }
  }

  /** Of a thread, which may just have ended. */
  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void aUserWithoutCapabilitiesOnThePoolIsToldSo() throws Exception {
    String other = ceph.createPool();
    CephCluster.User user =
        ceph.createUser("librados-it", "mon", "allow r", "osd", "allow rw pool=" + pool);
    ClusterSettings settings = given().user(user.id()).keyring(user.keyring().toString()).build();
    try (LibradosCluster cluster = LibradosCluster.connect(settings)) {
      ObjectStore mine = cluster.open(pool, "");
      mine.write("mine", WriteOp.builder().createIfMissing().build());
      assertThat(mine.usage().bytesAvailable()).isPositive();

      StoreException failure =
          catchThrowableOfType(
              () ->
                  cluster
                      .open(other, "")
                      .write("theirs", WriteOp.builder().createIfMissing().build()),
              StoreException.class);

      assertThat(failure.kind()).isEqualTo(Kind.PERMISSION_DENIED);
      // The mount adds what to do, with the user's name: DoctorIT and BadInputIT.
      assertThat(failure)
          .hasMessageContaining("capabilities do not allow it")
          .hasMessageContaining(other);
    }
    ceph.deletePool(other);
  }

  @Test
  void anErasureCodedPoolKeepsDataButNoIndex() throws Exception {
    String erasureCoded = ceph.createErasureCodedPool();
    try (LibradosCluster cluster = LibradosCluster.connect(given().build());
        ObjectStore store = cluster.open(erasureCoded, "")) {
      store.write(
          "data",
          WriteOp.builder()
              .createExclusive()
              .setXattr("uid", bytes("1"))
              .writeFull(ByteBuffer.wrap(bytes("hello")))
              .build());
      ByteBuffer into = ByteBuffer.allocate(10);
      assertThat(store.read("data", ReadOp.builder().data(0, into).build()).bytes(0)).isEqualTo(5);

      StoreException failure =
          catchThrowableOfType(
              () -> store.write("index", WriteOp.builder().setOmap("k", bytes("v")).build()),
              StoreException.class);

      assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED);
      assertThat(failure).hasMessageContaining("data pool");
    }
    ceph.deletePool(erasureCoded);
  }

  @Test
  void aPoolAtItsQuotaRefusesGrowthAtOnceAndLetsDeletionsPass() throws Exception {
    String small = ceph.createPool();
    try (LibradosCluster cluster = LibradosCluster.connect(given().build());
        ObjectStore store = cluster.open(small, "")) {
      store.write("a", WriteOp.builder().createExclusive().build());
      store.write("b", WriteOp.builder().createExclusive().build());
      ceph.ceph("osd", "pool", "set-quota", small, "max_objects", "1");
      StoreException failure = growUntilRefused(store);

      assertThat(failure.kind()).isEqualTo(Kind.NO_SPACE);
      assertThat(failure).hasMessageContaining("quota");
      store.write("a", WriteOp.builder().remove().build());
    }
    ceph.deletePool(small);
  }

  /** A quota takes effect when the monitors next look at the pool's statistics. */
  private static StoreException growUntilRefused(ObjectStore store) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    for (int i = 0; System.nanoTime() < deadline; i++) {
      String object = "more-" + i;
      try {
        store.write(object, WriteOp.builder().createExclusive().build());
      } catch (StoreException e) {
        return e;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      Thread.sleep(200);
    }
    throw new AssertionError("the quota was never enforced");
  }

  private static IOException connectFails(ClusterSettings.Builder settings) {
    return catchThrowableOfType(
        () -> LibradosCluster.connect(settings.build()).close(), IOException.class);
  }

  private static ClusterSettings.Builder given() {
    return ClusterSettings.builder()
        .confPath(ceph.conf().toString())
        .keyring(ceph.admin().keyring().toString());
  }

  private static String adminKey() {
    return ceph.ceph("auth", "print-key", ceph.admin().entity()).strip();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
