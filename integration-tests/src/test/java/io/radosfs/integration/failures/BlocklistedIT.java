// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.librados.LibradosDiagnostics;
import io.radosfs.integration.spark.SparkOnCeph;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A process, with driver and executor of Spark in it, is put on the cluster's blocklist while it
 * works: it goes on by a new connection, with nothing lost, doubled or left.
 */
class BlocklistedIT {

  private static final int FILES = 4;
  private static final int ROWS = 50;
  private static final long TIMEOUT_SECONDS = 180;

  private SparkOnCeph on;
  private PoolState state;

  @BeforeEach
  void start() {
    on = SparkOnCeph.withNewPool();
    on.spark
        .sparkContext()
        .hadoopConfiguration()
        .set("fs.rados.pool." + on.pool + ".cluster.factory", WatchedConnections.class.getName());
    state = new PoolState(on.ceph, on.pool, configuration());
  }

  @AfterEach
  void stop() {
    on.close();
  }

  /** For those that look on: by connections of their own, as those that share one are cut off. */
  private Configuration configuration() {
    Configuration conf = on.configuration();
    conf.unset("fs.rados.pool." + on.pool + ".cluster.factory");
    conf.set("fs.rados.ceph.client_mount_timeout", "100");
    conf.set(Options.REPLACED_RETENTION.key(), "0");
    return conf;
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    for (int i = 0; i < length; i++) {
      content[i] = (byte) (i * 31 + i / 251);
    }
    return content;
  }

  private static boolean isBlocklisted(Throwable thrown) {
    return thrown instanceof StoreException e && e.is(Kind.BLOCKLISTED);
  }

  @Test
  void aFileSystemGoesOn() throws Exception {
    byte[] content = content(24 << 20);
    int before = WatchedConnections.count();
    FileSystem fs = FileSystem.newInstance(URI.create(on.uri("")), on.configuration());
    FileContext context = FileContext.getFileContext(URI.create(on.uri("")), on.configuration());
    Path there = on.path("there");
    try (FSDataOutputStream out = fs.create(there)) {
      out.write(content);
    }
    FSDataOutputStream begun = fs.create(on.path("begun"));
    begun.write(content, 0, 10 << 20);
    try (FSDataInputStream in = fs.open(there)) {
      byte[] read = new byte[content.length];
      in.readFully(read, 0, 100);
      assertThat(WatchedConnections.count()).as("both have one").isBetween(1, before + 1);
      WatchedConnections.blocklist(on.ceph);
      in.readFully(read, 100, read.length - 100);
      assertThat(Arrays.equals(read, content)).as("what was read").isTrue();
    }
    awaitNewConnection(context);
    Throwable thrown = catchThrowable(begun::close);
    assertThat(thrown).matches(BlocklistedIT::isBlocklisted, "says why: " + thrown);
    assertThat(fs.exists(on.path("begun"))).isFalse();
    context.rename(there, on.path("renamed"));
    WatchedConnections.blocklist(on.ceph);
    awaitNewConnection(context);
    context.mkdir(on.path("d"), null, true);
    WatchedConnections.blocklist(on.ceph);
    assertThatCode(fs::close).doesNotThrowAnyException();
    awaitNewConnection(context);
    assertThat(context.getFileStatus(on.path("renamed")).getLen()).isEqualTo(content.length);
    assertThat(LibradosDiagnostics.operationsUnderWay()).isEmpty();
    state.assertCleanAfterCollection();
  }

  /** OSDs hear of it a little later than the monitors. */
  private void awaitNewConnection(FileContext context) throws IOException {
    while (WatchedConnections.count() == 0) {
      try {
        boolean unused = context.util().exists(on.path("nothing"));
      } catch (StoreException e) {
        assertThat(e).matches(BlocklistedIT::isBlocklisted, "says why: " + e);
      }
    }
  }

  private void writeSlowly(String name) {
    MapFunction<Long, Long> slowly =
        number -> {
          if (number % 10 == 0) {
            Thread.sleep(100);
          }
          return number;
        };
    on.spark
        .range(0, 8L * ROWS, 1, 8)
        .map(slowly, Encoders.LONG())
        .write()
        .mode(SaveMode.Append)
        .parquet(on.uri(name));
  }

  @Test
  void aBatchJobGoesOnOrFailsAndTheNextOneWorks() throws Exception {
    for (int millis : new int[] {0, 300}) {
      String name = "batch" + millis;
      CompletableFuture<Void> job = CompletableFuture.runAsync(() -> writeSlowly(name));
      awaitConnection(() -> !job.isDone());
      Thread.sleep(millis);
      WatchedConnections.blocklist(on.ceph);
      Throwable thrown = catchThrowable(() -> job.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      System.getLogger(BlocklistedIT.class.getName())
          .log(System.Logger.Level.WARNING, "blocklisted after {0} ms: {1}", millis, "" + thrown);
      if (thrown != null) {
        assertThat(thrown).hasStackTraceContaining("blocklist");
        assertThat(on.files(name)).isEmpty();
        writeSlowly(name);
      }
      assertThat(ids(name)).isEqualTo(numbers(8 * ROWS));
    }
    state.assertCleanAfterCollection();
  }

  /**
   * OSDs hear of a blocklisting one after another: what runs may connect anew and then still be
   * ended by the connection of before, or be ended before it connects.
   */
  private static void awaitConnection(BooleanSupplier runs) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (WatchedConnections.count() == 0 && runs.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  @Test
  void aStreamGoesOnOnceItsQueryIsStartedAgain() throws Exception {
    for (int file = 0; file < FILES; file++) {
      on.spark
          .range(file * (long) ROWS, (file + 1) * (long) ROWS, 1, 1)
          .write()
          .mode("append")
          .parquet(on.uri("in"));
    }
    int started = 0;
    boolean done = false;
    while (!done) {
      assertThat(started).isLessThan(2 * FILES + 2);
      started++;
      StreamingQuery query;
      try {
        query = query();
      } catch (StoreException e) {
        assertThat(e).matches(BlocklistedIT::isBlocklisted, "says why: " + e);
        continue; // The query before was over when it was blocklisted.
      }
      if (started <= FILES) {
        awaitConnection(query::isActive);
        Thread.sleep(150L * started);
        WatchedConnections.blocklist(on.ceph);
      }
      try {
        assertThat(query.awaitTermination(TIMEOUT_SECONDS * 1000)).isTrue();
        done = started > FILES;
      } catch (StreamingQueryException e) {
        assertThat(e).hasStackTraceContaining("blocklist");
      }
    }
    assertThat(ids("out")).isEqualTo(numbers(FILES * ROWS));
    state.assertCleanAfterCollection();
  }

  private StreamingQuery query() throws Exception {
    return on.spark
        .readStream()
        .schema("id BIGINT")
        .option("maxFilesPerTrigger", 1)
        .parquet(on.uri("in"))
        .writeStream()
        .format("parquet")
        .option("checkpointLocation", on.uri("checkpoint"))
        .trigger(Trigger.AvailableNow())
        .start(on.uri("out"));
  }

  private List<Long> ids(String name) throws IOException {
    List<Long> ids =
        on.spark.read().parquet(on.uri(name)).as(Encoders.LONG()).collectAsList().stream()
            .sorted()
            .toList();
    return Collections.unmodifiableList(ids);
  }

  private static List<Long> numbers(int to) {
    return LongStream.range(0, to).boxed().toList();
  }
}
