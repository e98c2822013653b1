// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.apache.hadoop.fs.statistics.StreamStatisticNames.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsContext;
import org.apache.hadoop.fs.statistics.IOStatisticsSnapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What streams count, and where it goes when they are closed. */
class StreamStatisticsTest {

  private static final int STRIPE = 1 << 20;
  private static final Path FILE = new Path("/d/f");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private RadosFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.set("fs.rados.object.size", "1M");
    fs = (RadosFileSystem) FileSystem.get(URI.create("rados://p/"), conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private IOStatistics write(int bytes) throws IOException {
    FSDataOutputStream out = fs.create(FILE);
    try (out) {
      out.write(new byte[bytes]);
    }
    return out.getIOStatistics();
  }

  private static void assertCounters(IOStatistics statistics, Map<String, Long> expected) {
    expected.forEach(
        (name, value) ->
            assertThat(statistics.counters()).as(statistics.toString()).containsEntry(name, value));
  }

  @Test
  void aWriterCountsItsStripes() throws IOException {
    IOStatistics written = write(2 * STRIPE + 5);
    assertCounters(
        written,
        Map.of(
            STREAM_WRITE_BYTES, 2L * STRIPE + 5,
            STREAM_WRITE_TOTAL_DATA, 2L * STRIPE + 5,
            STREAM_WRITE_BLOCK_UPLOADS, 3L,
            STREAM_WRITE_BLOCK_UPLOADS_COMMITTED, 3L,
            STREAM_WRITE_BLOCK_UPLOADS_ABORTED, 0L,
            STREAM_WRITE_EXCEPTIONS, 0L));
    assertThat(written.gauges())
        .containsEntry(STREAM_WRITE_BLOCK_UPLOADS_PENDING, 0L)
        .containsEntry(STREAM_WRITE_BLOCK_UPLOADS_ACTIVE, 0L)
        .containsEntry(STREAM_WRITE_BLOCK_UPLOADS_BYTES_PENDING, 0L);
    assertThat(written.meanStatistics().get(STREAM_WRITE_BLOCK_UPLOADS + ".mean").getSamples())
        .isEqualTo(3);
    assertThat(written.counters()).containsKeys(STREAM_WRITE_TOTAL_TIME);
    assertThat(written.maximums().get(STREAM_WRITE_BLOCK_UPLOADS + ".max"))
        .isGreaterThanOrEqualTo(written.minimums().get(STREAM_WRITE_BLOCK_UPLOADS + ".min"))
        .isNotNegative();
  }

  @Test
  void aWriterThatFailsCountsThat() throws IOException {
    fs.mkdirs(FILE.getParent());
    FSDataOutputStream out = fs.create(FILE, false);
    out.write(1);
    write(3);
    assertThatThrownBy(out::close).isInstanceOf(IOException.class);
    assertCounters(
        out.getIOStatistics(),
        Map.of(STREAM_WRITE_EXCEPTIONS, 1L, STREAM_WRITE_EXCEPTIONS_COMPLETING_UPLOADS, 1L));
    assertThatThrownBy(out::close).isInstanceOf(IOException.class);
    assertCounters(fs.getIOStatistics(), Map.of(STREAM_WRITE_EXCEPTIONS, 1L));
  }

  @Test
  void aReaderCountsReadsAndSeeks() throws IOException {
    write(2 * STRIPE);
    FSDataInputStream in = fs.open(FILE);
    IOStatistics counted = in.getIOStatistics();
    byte[] buffer = new byte[1000];
    try (in) {
      assertThat(in.read()).isEqualTo(0);
      assertThat(in.read(buffer)).isEqualTo(1000);
      in.seek(5);
      in.seek(5);
      in.seek(STRIPE);
      assertThat(in.skip(10)).isEqualTo(10);
      assertThat(in.read(buffer)).isEqualTo(1000);
      assertThat(in.read(2 * STRIPE - 10, buffer, 0, 1000)).isEqualTo(10);
      assertThat(in.read(2 * STRIPE, buffer, 0, 1000)).isEqualTo(-1);
      in.readFully(7, buffer);
      assertCounters(
          counted,
          Map.of(
              STREAM_READ_OPENED, 1L,
              STREAM_READ_OPERATIONS, 5L,
              STREAM_READ_OPERATIONS_INCOMPLETE, 2L,
              STREAM_READ_FULLY_OPERATIONS, 1L,
              STREAM_READ_BYTES, 1L + 1000 + 1000 + 10 + 1000,
              STREAM_READ_CLOSED, 0L));
      assertCounters(
          counted,
          Map.of(
              STREAM_READ_SEEK_OPERATIONS, 2L,
              STREAM_READ_SEEK_BACKWARD_OPERATIONS, 1L,
              STREAM_READ_SEEK_BYTES_BACKWARDS, 996L,
              STREAM_READ_SEEK_FORWARD_OPERATIONS, 1L,
              STREAM_READ_SEEK_BYTES_SKIPPED, STRIPE - 5L,
              STREAM_READ_SKIP_OPERATIONS, 1L,
              STREAM_READ_SKIP_BYTES, 10L,
              // The first 128 KiB were asked for, and 1,001 bytes of them read.
              STREAM_READ_SEEK_BYTES_DISCARDED, (128L << 10) - 1001));
    }
    in.close();
    assertCounters(counted, Map.of(STREAM_READ_CLOSED, 1L, STREAM_READ_CLOSE_OPERATIONS, 2L));
    assertThat(
            counted.counters().get(STREAM_READ_TOTAL_BYTES)
                - counted.counters().get(STREAM_READ_SEEK_BYTES_DISCARDED)
                - counted.counters().get(STREAM_READ_BYTES_DISCARDED_CLOSE))
        .as("what was asked for was read or discarded")
        .isEqualTo(counted.counters().get(STREAM_READ_BYTES));
  }

  @Test
  void aReaderCountsWhatItAsksForAhead() throws IOException {
    write(4 * STRIPE);
    FSDataInputStream in =
        fs.openFile(FILE).opt("fs.option.openfile.read.policy", "whole-file").build().join();
    try (in) {
      assertThat(in.read()).isEqualTo(0);
      assertCounters(in.getIOStatistics(), Map.of(STREAM_READ_PREFETCH_OPERATIONS, 3L));
      in.unbuffer();
    }
    assertCounters(
        in.getIOStatistics(),
        Map.of(
            STREAM_READ_UNBUFFERED,
            1L,
            STREAM_READ_TOTAL_BYTES,
            4L * STRIPE,
            STREAM_READ_BYTES_DISCARDED_CLOSE,
            4L * STRIPE - 1));
  }

  @Test
  void aVectoredReadCountsRangesAndOperations() throws Exception {
    write(3 * STRIPE);
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(0, 10),
            FileRange.createFileRange(1000, 10),
            FileRange.createFileRange(2 * STRIPE, 10));
    try (FSDataInputStream in = fs.open(FILE)) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        assertThat(range.getData().get().remaining()).isEqualTo(10);
      }
      assertCounters(
          in.getIOStatistics(),
          Map.of(
              STREAM_READ_VECTORED_OPERATIONS, 1L,
              STREAM_READ_VECTORED_INCOMING_RANGES, 3L,
              STREAM_READ_VECTORED_COMBINED_RANGES, 2L,
              STREAM_READ_BYTES, 30L));
    }
  }

  @Test
  void aReaderCountsWhatFails() throws IOException {
    write(10);
    try (FSDataInputStream in = fs.open(FILE)) {
      fs.delete(FILE, false);
      assertThatThrownBy(in::read).isInstanceOf(FileNotFoundException.class);
      assertCounters(in.getIOStatistics(), Map.of(STREAM_READ_EXCEPTIONS, 1L));
    }
  }

  @Test
  void theFileSystemGathersWhatItsStreamsCounted() throws IOException {
    write(10);
    fs.delete(FILE, false);
    write(20);
    assertCounters(
        fs.getIOStatistics(), Map.of(STREAM_WRITE_BYTES, 30L, STREAM_WRITE_BLOCK_UPLOADS, 2L));
    FSDataInputStream in = fs.open(FILE);
    in.readFully(0, new byte[20]);
    assertCounters(fs.getIOStatistics(), Map.of(STREAM_READ_BYTES, 0L));
    in.close();
    in.close();
    assertCounters(
        fs.getIOStatistics(),
        Map.of(STREAM_READ_BYTES, 20L, STREAM_READ_OPENED, 1L, STREAM_READ_CLOSED, 1L));
    assertThat(
            fs.getIOStatistics()
                .meanStatistics()
                .get(STREAM_WRITE_BLOCK_UPLOADS + ".mean")
                .getSamples())
        .isEqualTo(2);
  }

  @Test
  void theThreadThatOpenedIsToldWhoeverCloses() throws Exception {
    IOStatisticsContext context = IOStatisticsContext.getCurrentIOStatisticsContext();
    context.reset();
    write(10);
    FSDataInputStream in = fs.open(FILE);
    in.readFully(0, new byte[10]);
    Thread closer =
        new Thread(
            () -> {
              try {
                in.close();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    closer.start();
    closer.join();
    IOStatisticsSnapshot snapshot = context.snapshot();
    assertCounters(snapshot, Map.of(STREAM_WRITE_BYTES, 10L, STREAM_READ_BYTES, 10L));
  }
}
