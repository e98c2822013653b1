// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ObjectStoreContract;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import io.radosfs.connector.store.librados.LibradosDiagnostics;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.PlainLocaleProgram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract on a real Ceph, and what is particular to librados: native memory and locales. */
class LibradosObjectStoreIT extends ObjectStoreContract {

  private static final int MANY = 20_000;
  private static final int DEPTH = 64;

  private static CephCluster ceph;
  private static String pool;
  private static Optional<String> erasureCodedPool;
  private static LibradosCluster cluster;
  private static LibradosCluster reader;

  @BeforeAll
  static void connect() throws IOException {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    // Where there is none, its tests are skipped.
    erasureCodedPool = ceph.createErasureCodedPoolIfItCan();
    cluster = connect(ceph.admin());
    reader =
        connect(
            ceph.createUser("librados-reader", "mon", "allow r", "osd", "allow r pool=" + pool));
  }

  @AfterAll
  static void disconnect() throws IOException {
    cluster.close();
    reader.close();
    ceph.deletePool(pool);
    erasureCodedPool.ifPresent(ceph::deletePool);
  }

  private static LibradosCluster connect(CephCluster.User user) throws IOException {
    return LibradosCluster.connect(
        ClusterSettings.builder()
            .confPath(ceph.conf().toString())
            .user(user.id())
            .keyring(user.keyring().toString())
            .build());
  }

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected String pool() {
    return pool;
  }

  @Override
  protected PoolAdministration pools() {
    return new PoolAdministration() {
      @Override
      public void create(String name) {
        ceph.createPool(name);
      }

      @Override
      public void remove(String name) {
        ceph.deletePool(name);
      }

      @Override
      public void rename(String name, String newName) {
        ceph.ceph("osd", "pool", "rename", name, newName);
      }
    };
  }

  @Override
  protected Optional<String> erasureCodedPool() {
    return erasureCodedPool;
  }

  @Override
  protected Optional<Cluster> readOnlyCluster() {
    return Optional.of(reader);
  }

  @AfterEach
  void nothingNativeIsLeft() {
    assertThat(LibradosDiagnostics.operationsUnderWay()).isEmpty();
    assertThat(LibradosDiagnostics.arenasInUse()).isZero();
  }

  /** librados must not be asked for anything then: it has freed what it would look into. */
  @Test
  void aStoreOfAClosedConnectionRefusesEverything() throws Exception {
    LibradosCluster other = connect(ceph.admin());
    ObjectStore store = other.open(pool, "closed");
    other.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            store::usage,
            store::applications,
            () -> store.list(name -> {}),
            () -> store.read("x", ReadOp.builder().size().build()),
            () -> store.write("x", WriteOp.builder().createIfMissing().build()))) {
      assertThatThrownBy(call)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("this store is closed");
    }
  }

  @Test
  void manyOperationsFreeTheirNativeMemory() throws Exception {
    ObjectStore store = cluster.open(pool, "many");
    Semaphore room = new Semaphore(DEPTH);
    ByteBuffer data = ByteBuffer.allocateDirect(1000);
    List<CompletableFuture<?>> operations = new ArrayList<>();
    for (int i = 0; i < MANY / 4; i++) {
      String object = "o" + i % DEPTH;
      for (int kind = 0; kind < 4; kind++) {
        room.acquire();
        CompletableFuture<?> operation = start(store, object, kind, data);
        operation.whenComplete((result, failure) -> room.release());
        operations.add(operation);
      }
    }
    room.acquire(DEPTH);

    assertThat(operations).hasSize(MANY);
    assertThat(operations.stream().filter(CompletableFuture::isCompletedExceptionally))
        .isNotEmpty();
    assertThat(LibradosDiagnostics.operationsUnderWay()).isEmpty();
    assertThat(LibradosDiagnostics.arenasInUse()).isZero();
    store.close();
  }

  /** Of every sort: writes and reads, with success and without, and one that never starts. */
  private static CompletableFuture<?> start(
      ObjectStore store, String object, int kind, ByteBuffer data) {
    switch (kind) {
      case 0:
        return store.writeAsync(
            object, WriteOp.builder().writeFull(data).setOmap("k", new byte[160]).build());
      case 1:
        return store.readAsync(
            object,
            ReadOp.builder()
                .omapRange("", "", 10)
                .xattr("none")
                .data(0, ByteBuffer.allocate(2000))
                .build());
      case 2:
        return store.writeAsync(object, WriteOp.builder().absentOmap("k").remove().build());
      default:
        return object.endsWith("7")
            ? store.writeAsync("a\0name", WriteOp.builder().createIfMissing().build())
            : store.readAsync(
                "missing", ReadOp.builder().omapRange("", "", 10).xattr("none").build());
    }
  }

  @Test
  void aPrefixFarDownALargeOmapIsFoundByRange() throws Exception {
    ObjectStore store = cluster.open(pool, "large");
    SortedMap<String, byte[]> entries = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      entries.put(String.format("e/%06d", i), new byte[] {1});
    }
    entries.put("t/1", new byte[] {1});
    store.write("dir", WriteOp.builder().setOmap(entries).build());

    ReadResult result =
        store.read(
            "dir",
            ReadOp.builder().omapRange("", "t/", 10).omapRange("e/009998", "e/", 10).build());

    assertThat(result.omap(0)).containsOnlyKeys("t/1");
    assertThat(result.more(0)).isFalse();
    assertThat(result.omap(1)).containsOnlyKeys("e/009999");
    assertThat(result.more(1)).isFalse();
    store.close();
  }

  @Test
  void namesThatUtf8OrCCannotHoldAreRefused() throws Exception {
    ObjectStore store = cluster.open(pool, "names");
    for (String name : List.of("", "a\0b", "half \ud83d pair")) {
      try {
        store.writeAsync(name, WriteOp.builder().createIfMissing().build()).get();
        throw new AssertionError("accepted " + name);
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(StoreException.class);
      }
    }
    store.close();
  }

  /** Java then takes US-ASCII for what it exchanges with C, and so does JNA. */
  @Test
  void namesAreUtf8UnderAPlainLocale() throws Exception {
    Process process = plainLocale(PlainLocaleProgram.class).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("sun.jnu.encoding ANSI_X3.4-1968");
    assertThat(ceph.rados(pool, "--all", "ls"))
        .contains(PlainLocaleProgram.NAMESPACE + "\t" + PlainLocaleProgram.OBJECT);
  }

  private static ProcessBuilder plainLocale(Class<?> program) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            ceph.conf().toString(),
            ceph.admin().id(),
            ceph.admin().keyring().toString(),
            pool);
    builder.environment().remove("LANG");
    builder.environment().put("LC_ALL", "C");
    return builder.redirectErrorStream(true);
  }
}
