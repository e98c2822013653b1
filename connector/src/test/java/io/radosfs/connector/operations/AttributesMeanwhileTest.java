// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes that one thread sets while another thread of the process publishes the file. */
class AttributesMeanwhileTest {

  private static final FsPath FILE = new FsPath("d/f");
  private static final String XATTR = "user.x";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient client = cluster.client("a");
  private final CompletableFuture<Void> set = new CompletableFuture<>();
  private SimulatedMount mount;

  @BeforeEach
  void makeDirectory() throws IOException {
    SimulatedMount.of(cluster.client("user")).write("/d/e", "e");
    mount = SimulatedMount.of(client);
  }

  private interface Step {
    void run() throws IOException;
  }

  private static boolean isPublication(OpInfo op) {
    return op.write() && op.object().equals("d/") && op.summary().contains("e/f");
  }

  /** Writes the file. Another thread sets its permission once the publication is to be sent. */
  private void writeWhileAnotherThreadSets() throws IOException {
    Thread setter =
        new Thread(
            () -> {
              try {
                mount.namespace().setAttributes(FILE, was -> was.withPermission(0700));
                set.complete(null);
              } catch (IOException | RuntimeException e) {
                set.completeExceptionally(e);
              }
            });
    mount = SimulatedMount.of(client, new SetterFirst(setter));
    mount.write("/d/f", "f");
  }

  /** Has the thread run until it waits, or has ended, before the file is published. */
  private final class SetterFirst extends ForwardingObjectStore {

    private final Thread setter;

    SetterFirst(Thread setter) throws IOException {
      super(client.open(SimulatedMount.POOL, ""));
      this.setter = setter;
    }

    @Override
    public void write(String object, WriteOp op) throws IOException {
      if (object.equals("d/") && setter.getState() == Thread.State.NEW) {
        setter.start();
        while (setter.isAlive() && setter.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
      super.write(object, op);
    }
  }

  /** Runs this after the publication, before anything else is done. */
  private void after(Step publication) {
    boolean[] published = {false};
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (published[0]) {
                    published[0] = false;
                    publication.run();
                  }
                  published[0] = isPublication(op);
                });
  }

  private Attributes attributes(String path) throws IOException {
    return SimulatedMount.of(cluster.client("reader"))
        .namespace()
        .lookup(FsPath.parse(path))
        .orElseThrow()
        .attributes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void areThoseOfTheFile(boolean applied) throws IOException {
    FaultPlan unused =
        client
            .faults()
            .once(
                AttributesMeanwhileTest::isPublication,
                applied ? Fault.LOSE_ANSWER : Fault.LOSE_REQUEST);
    writeWhileAnotherThreadSets();
    set.join();
    assertThat(attributes("/d/f").permission()).isEqualTo(0700);
  }

  @Test
  void leaveThoseThatAnotherClientHasSet() throws IOException {
    after(
        () ->
            SimulatedMount.of(cluster.client("other"))
                .namespace()
                .setAttributes(FILE, was -> was.withOwner("bob", "bobs")));
    writeWhileAnotherThreadSets();
    set.join();
    assertThat(attributes("/d/f").permission()).isEqualTo(0700);
    assertThat(attributes("/d/f").owner()).isEqualTo("bob");
  }

  /** Neither thread is told that the file has the attributes that it has not. */
  @Test
  void areNotToldToBeSetWhereTheFileIsRenamed() throws IOException {
    after(
        () ->
            SimulatedMount.of(cluster.client("other"))
                .namespace()
                .rename(FILE, FsPath.parse("/d/g"), false));
    writeWhileAnotherThreadSets();
    assertThatThrownBy(set::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(FileNotFoundException.class);
    assertThat(attributes("/d/g").permission()).isNotEqualTo(0700);
  }

  /** As {@code setXAttr} with {@code CREATE}. */
  private static Attributes create(Attributes was) throws IOException {
    if (was.xattrs().value(XATTR).isPresent()) {
      throw new FileAlreadyExistsException(XATTR + " is there");
    }
    return was.withXattrs(was.xattrs().with(XATTR, new byte[] {1}));
  }

  private StripedOutputStream open(boolean overwrite) throws IOException {
    return mount.write(
        FILE, mount.namespace().create(FILE, overwrite, true, SimulatedMount.ATTRIBUTES));
  }

  /** Whenever it is: what this call has set is no reason for it to fail. */
  @Test
  void areSetOnceWhereTheFileIsPublishedMeanwhile() throws IOException {
    boolean more = true;
    int published = 0;
    for (int at = 1; more; at++) {
      SimulatedMount.of(cluster.client("user")).namespace().delete(FILE, false);
      StripedOutputStream out = open(false);
      out.write(1);
      AtomicBoolean closed =
          client
              .faults()
              .before(
                  new TreeMap<Integer, FaultPlan.Interlude>(
                      Map.of(client.ops() + at, op -> out.close())));
      mount.namespace().setAttributes(FILE, AttributesMeanwhileTest::create);
      FaultPlan none = client.faults().clear();
      more = closed.get();
      published += more ? 1 : 0;
      out.close();
      assertThat(attributes("/d/f").xattrs().value(XATTR)).isPresent();
    }
    assertThat(published).isPositive();
  }

  /** What is there is not to be changed: then the file that will replace it is not either. */
  @Test
  void areThoseOfNoFileIfTheyAreRefused() throws IOException {
    mount.write("/d/f", "old");
    mount.namespace().setAttributes(FILE, AttributesMeanwhileTest::create);
    try (StripedOutputStream out = open(true)) {
      out.write(1);
      assertThatThrownBy(
              () -> mount.namespace().setAttributes(FILE, AttributesMeanwhileTest::create))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(attributes("/d/f").xattrs()).isEqualTo(Xattrs.NONE);
  }
}
