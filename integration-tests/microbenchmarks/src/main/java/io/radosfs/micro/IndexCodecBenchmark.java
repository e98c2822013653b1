// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The entry of one file in an index. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class IndexCodecBenchmark {

  private final FsPath path = SampleFiles.path(7);
  private final Entry entry = SampleFiles.entry(path);
  private final byte[] stored = EntryCodec.encode(path, entry);

  @Benchmark
  public byte[] encodeEntry() {
    return EntryCodec.encode(path, entry);
  }

  @Benchmark
  public Entry decodeEntry() throws LayoutException {
    return EntryCodec.decode(path, stored);
  }
}
