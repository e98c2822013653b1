// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.integration.spark.SparkOnCeph;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SaveMode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An administrator removes a pool, and makes it again, while a session of Spark works with it.
 * RADOS answers that session as if every object were missing.
 */
class PoolMadeAgainIT {

  private static final int ROWS = 1_000;

  private SparkOnCeph on;

  @BeforeEach
  void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterEach
  void stop() {
    on.close();
  }

  /** Until each OSD answers for the new pool, and so has heard that there is no old one. */
  private void makeAgain() {
    on.ceph.deletePool(on.pool);
    on.ceph.createPool(on.pool);
    assertThat(on.ceph.listObjects(on.pool)).isEmpty();
  }

  private void write(String path) {
    on.spark.range(ROWS).write().mode(SaveMode.Overwrite).parquet(on.uri(path));
  }

  private long count(String path) {
    return on.spark.read().parquet(on.uri(path)).count();
  }

  private static void saysThatThePoolIsGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .hasRootCauseInstanceOf(StoreException.class)
        .hasStackTraceContaining("this pool was deleted or renamed since this process opened it");
  }

  @Test
  void aSessionSaysSoAndGoesOn() throws Exception {
    write("t");
    assertThat(count("t")).isEqualTo(ROWS);
    makeAgain();
    // Spark's first look is for a stream's metadata. It logs that it failed, and looks further.
    assertThatThrownBy(() -> count("t")).hasMessageContaining("PATH_NOT_FOUND");
    write("t");
    assertThat(count("t")).isEqualTo(ROWS);
    makeAgain();
    saysThatThePoolIsGone(() -> write("u"));
    write("u");
    assertThat(count("u")).isEqualTo(ROWS);
    new PoolState(on.ceph, on.pool, on.configuration()).assertCleanAfterCollection();
  }

  @Test
  void whatWasBeingWrittenIsNowhere() throws Exception {
    FileSystem fs = on.fileSystem();
    FSDataOutputStream begun = fs.create(on.path("begun"));
    begun.write(new byte[10 << 20]);
    begun.hflush();
    makeAgain();
    saysThatThePoolIsGone(begun::close);
    assertThat(fs.exists(on.path("begun"))).isFalse();
    assertThat(on.ceph.listObjects(on.pool)).isEmpty();
  }

  @Test
  @Timeout(60)
  void withoutThePoolItSaysWhichIsMissing() throws Exception {
    FileSystem fs = on.fileSystem();
    fs.mkdirs(on.path("d"));
    on.ceph.deletePool(on.pool);
    try {
      saysThatThePoolIsGone(
          () -> {
            while (fs.exists(on.path("d"))) {
              Thread.sleep(100); // OSDs hear of it a little later than the monitors.
            }
          });
      assertThatThrownBy(() -> fs.exists(on.path("d"))).isInstanceOf(NoSuchPoolException.class);
    } finally {
      on.ceph.createPool(on.pool);
    }
    assertThat(fs.exists(on.path("d"))).isFalse();
  }
}
