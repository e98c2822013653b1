// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A file of 64 MiB through the streams, to a store that takes and gives bytes at once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StreamBenchmark {

  private static final int LENGTH = 64 << 20;
  private static final String POOL = "data";

  /** Bytes of each call. */
  @Param({"1024", "65536"})
  public int call;

  private final BufferPool buffers = new BufferPool(256 << 20);
  private final FileData file = SampleFiles.data(SampleFiles.path(1), LENGTH);
  private final byte[] bytes = new byte[64 << 10];
  private ObjectStore store;

  @Setup
  public void setUp() throws IOException {
    store = new AnsweringStore(SimulatedCluster.withPools(POOL).client("streams").open(POOL, ""));
  }

  /** Nobody publishes the file. */
  private static final class Unpublished implements FilePublisher {
    @Override
    public void begin(FileData unfinished, int window) {}

    @Override
    public void publish(FileData finished, int crc32c) {}

    @Override
    public void abandon(FileData removed) {}
  }

  @Benchmark
  public void writeStream() throws IOException {
    try (StripedOutputStream out =
        new StripedOutputStream(
            store, file, new Unpublished(), buffers, StreamSettings.defaults())) {
      for (int written = 0; written < LENGTH; written += call) {
        out.write(bytes, 0, call);
      }
    }
  }

  @Benchmark
  public long readStream() throws IOException {
    long read = 0;
    try (StripedInputStream in =
        new StripedInputStream(store, file.origin(), file, buffers, StreamSettings.defaults())) {
      for (int count = in.read(bytes, 0, call); count > 0; count = in.read(bytes, 0, call)) {
        read += count;
      }
    }
    if (read != LENGTH) {
      throw new IOException("read " + read + " bytes of " + LENGTH);
    }
    return read;
  }
}
