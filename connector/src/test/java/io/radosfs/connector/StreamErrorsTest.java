// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What RADOS refuses a stream is told with the path of the file, not of its object alone. */
class StreamErrorsTest {

  private static final Path FILE = new Path("/d/f");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("lake");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.newInstance(URI.create("rados://lake"), conf);
  }

  @AfterEach
  void close() throws IOException {
    cluster.client("client.admin").faults().clear();
    fs.close();
  }

  private static void isOfTheFile(StoreException thrown, Kind kind) {
    assertThat(thrown.kind()).isEqualTo(kind);
    assertThat(thrown.object()).isEqualTo("d/f");
    assertThat(thrown).hasMessageStartingWith("/d/f: ");
  }

  /** When it is closed, and whenever it is used after that. */
  @Test
  void ofAPoolThatTakesNoMore() throws IOException {
    FSDataOutputStream out = fs.create(FILE);
    out.write(new byte[100]);
    fail(true, Kind.NO_SPACE);
    isOfTheFile(catchThrowableOfType(out::close, StoreException.class), Kind.NO_SPACE);
    StoreException again = catchThrowableOfType(() -> out.write(1), StoreException.class);
    isOfTheFile(again, Kind.NO_SPACE);
  }

  @Test
  void ofOsdsThatDoNotAnswer() throws IOException {
    try (FSDataOutputStream out = fs.create(FILE)) {
      out.write(new byte[100]);
    }
    try (FSDataInputStream in = fs.open(FILE)) {
      fail(false, Kind.TIMED_OUT);
      isOfTheFile(catchThrowableOfType(in::read, StoreException.class), Kind.TIMED_OUT);
      StoreException positioned =
          catchThrowableOfType(() -> in.readFully(1, new byte[1]), StoreException.class);
      isOfTheFile(positioned, Kind.TIMED_OUT);
    }
  }

  private void fail(boolean write, Kind kind) {
    cluster
        .client("client.admin")
        .faults()
        .always(op -> op.write() == write && op.object().equals("d/f"), Fault.failWith(kind));
  }
}
