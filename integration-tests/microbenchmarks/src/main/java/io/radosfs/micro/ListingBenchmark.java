// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The listing of a directory of 10,000 names, by a client that is answered at once. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ListingBenchmark {

  private static final int NAMES = 10_000;

  private final FsPath directory = SampleFiles.path(0).parent();
  private Namespace namespace;

  @Setup
  public void setUp() throws IOException {
    SimulatedClient client = SimulatedCluster.withPools(SimulatedMount.POOL).client("lists");
    Namespace maker = SimulatedMount.of(client).namespace();
    for (int number = 0; number < NAMES; number++) {
      maker.mkdirs(directory.child("part-" + number), SampleFiles.ATTRIBUTES);
    }
    namespace =
        SimulatedMount.of(client, new RecordedAnswers(client.open(SimulatedMount.POOL, "")))
            .namespace();
  }

  @Benchmark
  public List<Namespace.Child> list() throws IOException {
    List<Namespace.Child> children = namespace.list(directory);
    if (children.size() != NAMES) {
      throw new IOException(children.size() + " names and not " + NAMES);
    }
    return children;
  }
}
