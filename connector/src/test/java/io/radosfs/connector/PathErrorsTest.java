// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an index refuses names the path and the operation of the caller, and then the object. */
class PathErrorsTest {

  private static final Path DIRECTORY = new Path("/d");
  private static final Path FILE = new Path("/d/f");
  private static final Path OTHER = new Path("/d/g");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("lake");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final Map<String, ThrowingCallable> reads = new LinkedHashMap<>();
  private final Map<String, ThrowingCallable> changes = new LinkedHashMap<>();
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.newInstance(URI.create("rados://lake"), conf);
    fs.create(FILE).close();
    FileStatus status = fs.getFileStatus(FILE);
    reads.put("/d/f: getFileStatus: ", () -> fs.getFileStatus(FILE));
    reads.put("/d/f: open: ", () -> fs.open(FILE));
    reads.put("/d: listStatus: ", () -> fs.listStatus(DIRECTORY));
    reads.put(
        "/d: listStatusIterator: ", () -> RemoteIterators.toList(fs.listStatusIterator(DIRECTORY)));
    reads.put(
        "/d: listLocatedStatus: ", () -> RemoteIterators.toList(fs.listLocatedStatus(DIRECTORY)));
    reads.put("/d: listFiles: ", () -> RemoteIterators.toList(fs.listFiles(DIRECTORY, true)));
    reads.put("/d: getContentSummary: ", () -> fs.getContentSummary(DIRECTORY));
    reads.put("/d/f: getXAttrs: ", () -> fs.getXAttrs(FILE));
    reads.put("/d/f: getFileChecksum: ", () -> fs.getFileChecksum(FILE));
    reads.put(
        "/d/f: getFileBlockLocations: ",
        () -> fs.getFileBlockLocations(new FileStatus(1, false, 1, 1, 0, status.getPath()), 0, 1));
    changes.put("/d/g: ", () -> fs.create(OTHER).close()); // told by the stream, which adds it
    changes.put("/d/g: mkdirs: ", () -> fs.mkdirs(OTHER));
    changes.put("/d/f: rename to /d/g: ", () -> fs.rename(FILE, OTHER));
    changes.put("/d/f: rename to /d/h: ", () -> rename(FILE, new Path("/d/h")));
    changes.put("/d/f: delete: ", () -> fs.delete(FILE, false));
    changes.put("/d/f: setAttributes: ", () -> fs.setPermission(FILE, new FsPermission("600")));
  }

  /** What FileContext calls, which is protected here. */
  private void rename(Path from, Path to) throws IOException {
    ((RadosFileSystem) fs).rename(from, to, Rename.NONE);
  }

  @AfterEach
  void close() throws IOException {
    cluster.client("client.admin").faults().clear();
    fs.close();
  }

  private void fail(boolean write, Kind kind) {
    cluster
        .client("client.admin")
        .faults()
        .always(op -> op.write() == write && op.object().equals("d/"), Fault.failWith(kind));
  }

  private static void eachTells(
      Map<String, ThrowingCallable> calls, Class<?> type, List<String> said) {
    calls.forEach(
        (begins, call) -> {
          Throwable thrown = catchThrowable(call);
          assertThat(thrown).as(begins).isInstanceOf(type);
          assertThat(thrown.getMessage())
              .startsWith(begins)
              .doesNotContain(begins + begins)
              .contains(said);
        });
  }

  @Test
  void ofOsdsThatDoNotAnswer() {
    fail(false, Kind.TIMED_OUT);
    eachTells(reads, StoreException.class, List.of("d/"));
    StoreException told = (StoreException) catchThrowable(() -> fs.listStatus(DIRECTORY));
    assertThat(told.kind()).isEqualTo(Kind.TIMED_OUT);
    assertThat(told.object()).isEqualTo("d/");
  }

  @Test
  void ofAUserThatMayNotRead() {
    fail(false, Kind.PERMISSION_DENIED);
    eachTells(reads, AccessControlException.class, List.of("rados://lake: Ceph user", "'allow r'"));
  }

  @Test
  void ofAPoolThatIsFull() {
    fail(true, Kind.NO_SPACE);
    eachTells(changes, StoreException.class, List.of("d/"));
  }

  @Test
  void ofAUserThatMayNotWrite() {
    fail(true, Kind.PERMISSION_DENIED);
    eachTells(
        changes, AccessControlException.class, List.of("rados://lake: Ceph user", "allow rw"));
  }

  /** The look-up that would tell the outcome is not answered either. */
  @Test
  void ofAChangeWhoseOutcomeIsNotKnown() {
    boolean[] sent = new boolean[1];
    cluster
        .client("client.admin")
        .faults()
        .always(
            op -> {
              sent[0] |= op.write() && op.object().equals("d/");
              return sent[0] && op.object().equals("d/");
            },
            Fault.LOSE_REQUEST);
    for (String begins : List.of("/d/f: delete: ", "/d/f: setAttributes: ", "/d/g: mkdirs: ")) {
      sent[0] = false;
      eachTells(
          Map.of(begins, changes.get(begins)),
          OutcomeUnknownException.class,
          List.of("'d/'", "look at the directory before repeating it"));
    }
  }

  @Test
  void ofDamage() throws IOException {
    cluster
        .client("client.other")
        .open("lake", "")
        .write("d/", WriteOp.builder().setOmap("e/f", "no entry".getBytes(UTF_8)).build());
    eachTells(reads, LayoutException.class, List.of("d/", "e/f"));
  }
}
