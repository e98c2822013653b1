// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

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
import io.radosfs.connector.store.librados.LibradosDiagnostics;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pool that answers nothing, as it wants more copies than there are OSDs: who waits, and how. */
class LibradosTimeoutIT {

  private static final WriteOp WRITE = WriteOp.builder().createIfMissing().build();
  private static final ReadOp READ = ReadOp.builder().data(0, ByteBuffer.allocate(10)).build();

  private static CephCluster ceph;
  private static String pool;

  @BeforeAll
  static void makeAPoolThatDoesNotAnswer() throws Exception {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    String tooMany = Long.toString(ceph.ceph("osd", "ls").lines().count() + 1);
    ceph.ceph("osd", "pool", "set", pool, "size", tooMany);
    ceph.ceph("osd", "pool", "set", pool, "min_size", tooMany);
    try (LibradosCluster cluster = connect(Duration.ofSeconds(2), Map.of())) {
      ObjectStore store = cluster.open(pool, "");
      while (catchThrowable(() -> store.write("probe", WRITE)) == null) {
        Thread.sleep(200);
      }
    }
  }

  @AfterAll
  static void removePool() {
    ceph.deletePool(pool);
  }

  @AfterEach
  void nothingNativeIsLeft() {
    assertThat(LibradosDiagnostics.operationsUnderWay()).isEmpty();
    assertThat(LibradosDiagnostics.arenasInUse()).isZero();
  }

  @Test
  void libradosGivesUpFirst() throws Exception {
    try (LibradosCluster cluster = connect(Duration.ofSeconds(5), Map.of())) {
      ObjectStore store = cluster.open(pool, "");
      CompletableFuture<Void> write = store.writeAsync("a", WRITE);

      ExecutionException failure =
          catchThrowableOfType(() -> write.get(30, TimeUnit.SECONDS), ExecutionException.class);

      assertThat(((StoreException) failure.getCause()).kind()).isEqualTo(Kind.OUTCOME_UNKNOWN);
      assertThat(kindOf(() -> store.read("a", READ))).isEqualTo(Kind.TIMED_OUT);
    }
  }

  @Test
  void aCallerWaitsNoLongerThanTheBoundEvenIfLibradosDoes() throws Exception {
    try (LibradosCluster cluster = connectWithoutLibradosTimeout()) {
      ObjectStore store = cluster.open(pool, "");
      long start = System.nanoTime();

      assertThat(kindOf(() -> store.read("a", READ))).isEqualTo(Kind.TIMED_OUT);
      assertThat(LibradosDiagnostics.operationsUnderWay()).as("cancelled reads").isEmpty();
      assertThat(kindOf(() -> store.write("a", WRITE))).isEqualTo(Kind.OUTCOME_UNKNOWN);
      assertThat(LibradosDiagnostics.operationsUnderWay()).as("writes that go on").hasSize(1);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void aBlockingCallInACallbackIsRefused() throws Exception {
    try (LibradosCluster cluster = connect(Duration.ofSeconds(5), Map.of())) {
      ObjectStore store = cluster.open(pool, "");
      CompletableFuture<Throwable> inCallback =
          store
              .writeAsync("a", WRITE)
              .handle((done, e) -> catchThrowable(() -> store.read("a", READ)));

      assertThat(inCallback.get(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    LibradosCluster cluster = connectWithoutLibradosTimeout();
    ObjectStore store = cluster.open(pool, "");
    CompletableFuture<Void> write = store.writeAsync("a", WRITE);
    CompletableFuture<?> read = store.readAsync("a", READ);

    cluster.close();

    ExecutionException failure = catchThrowableOfType(write::get, ExecutionException.class);
    assertThat(((StoreException) failure.getCause()).kind()).isEqualTo(Kind.OUTCOME_UNKNOWN);
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void anInterruptEndsTheWaitOfReadsAndWrites() throws Exception {
    try (LibradosCluster cluster = connect(Duration.ofSeconds(5), Map.of())) {
      ObjectStore store = cluster.open(pool, "");

      assertThat(interrupted(() -> store.read("a", READ)))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(LibradosDiagnostics.operationsUnderWay()).as("cancelled reads").isEmpty();
      assertThat(interrupted(() -> store.write("a", WRITE)))
          .isInstanceOf(InterruptedIOException.class);
    }
  }

  private interface Operation {
    void run() throws IOException;
  }

  /** What the operation ends with when its thread is interrupted while it waits. */
  private static Throwable interrupted(Operation operation) throws Exception {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread waiting = new Thread(() -> outcome.complete(catchThrowable(operation::run)));
    waiting.start();
    Thread.sleep(500);
    waiting.interrupt();
    return outcome.get(3, TimeUnit.SECONDS);
  }

  private static Kind kindOf(Operation operation) {
    return catchThrowableOfType(operation::run, StoreException.class).kind();
  }

  private static LibradosCluster connectWithoutLibradosTimeout() throws IOException {
    return connect(Duration.ofSeconds(1), Map.of("rados_osd_op_timeout", "0"));
  }

  private static LibradosCluster connect(Duration operationTimeout, Map<String, String> options)
      throws IOException {
    return LibradosCluster.connect(
        ClusterSettings.builder()
            .confPath(ceph.conf().toString())
            .keyring(ceph.admin().keyring().toString())
            .operationTimeout(operationTimeout)
            .cephOptions(options)
            .build());
  }
}
