// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * What a verb shows on a terminal while it waits: its cluster answers one operation only when
 * another line of progress is there.
 *
 * @param status what the verb ended with
 * @param out its results
 * @param err all that the terminal was sent, also what was cleared
 */
public record ShownProgress(int status, String out, String err) {

  /** Clears a line of the terminal. */
  public static final String CLEAR = "\r\u001b[K";

  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * Runs it.
   *
   * @param held the operation that waits, the first for which this holds
   */
  public static ShownProgress of(
      SimulatedCluster cluster, Predicate<OpInfo> held, String verb, String... args) {
    Configuration conf = SimulatedConnections.configuration(cluster);
    StringWriter err = new StringWriter();
    AtomicBoolean waited = new AtomicBoolean();
    var faults = cluster.client(conf.get("fs.rados.ceph.user", "client.admin")).faults();
    faults.before(
        op -> {
          if (held.test(op) && waited.compareAndSet(false, true)) {
            await(err, CLEAR + verb + ": ");
          }
        });
    String[] words = (verb + " " + String.join(" ", args)).split(" ");
    Ran ran = Ran.onTerminal(conf, err, words);
    faults.clear();
    return new ShownProgress(ran.status(), ran.out(), ran.err());
  }

  /** Goes on without it in the end: that it was not there is for the test to see. */
  private static void await(StringWriter err, String line) throws IOException {
    long until = System.nanoTime() + BOUND_NANOS;
    int before = err.getBuffer().length();
    while (err.getBuffer().indexOf(line, before) < 0 && System.nanoTime() < until) {
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException e) {
        throw new IOException("interrupted while waiting for progress", e);
      }
    }
  }
}
