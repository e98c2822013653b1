// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The checksum of one stripe: the least that a writer can cost, as every byte goes through it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChecksumBenchmark {

  private final byte[] stripe = new byte[SampleFiles.OBJECT_SIZE];

  @Benchmark
  public long checksumOfStripe() {
    CRC32C sum = new CRC32C();
    sum.update(stripe, 0, stripe.length);
    return sum.getValue();
  }
}
