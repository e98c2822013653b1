// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes a call again and again, each time in a new cluster: another client does something before
 * the call's first operation, then before its second, and so on; or two things, before each pair of
 * operations. Where that could be done, the pool is as it should be once it was swept.
 *
 * @param mounting how each client mounts the file system
 * @param setUp what is there before the call
 * @param call gives its answer, or throws it
 */
public record Interludes(Mounting mounting, Action setUp, Call call) {

  /** More than any call has that is tried so. */
  private static final int OPERATIONS = 120;

  /** Mounts the file system. */
  @FunctionalInterface
  public interface Mounting {
    SimulatedMount of(SimulatedClient client) throws IOException;
  }

  /** Something done to a mounted file system. */
  @FunctionalInterface
  public interface Action {
    void by(SimulatedMount mount) throws IOException;
  }

  /** What is called. */
  @FunctionalInterface
  public interface Call {
    Object by(SimulatedMount mount) throws IOException;
  }

  /** What another client does; returns whether it could. */
  @FunctionalInterface
  public interface Meanwhile {
    boolean by(SimulatedMount other) throws IOException;
  }

  /** Looks at an answer. */
  @FunctionalInterface
  public interface Check {
    void of(Answer answer) throws IOException;
  }

  /**
   * The answer of one call.
   *
   * @param reader a client that comes after it
   * @param value what was returned, which may be null; null if it has failed
   * @param when before which operations the others came, for messages
   */
  public record Answer(
      SimulatedMount reader, Object value, Optional<IOException> failure, String when) {

    public Optional<Entry> at(String path) throws IOException {
      return reader.namespace().lookup(FsPath.parse(path));
    }
  }

  /** Of clients that mount it as they usually do, and an action that answers nothing. */
  public static Interludes of(Action setUp, Action call) {
    return new Interludes(
        SimulatedMount::of,
        setUp,
        mount -> {
          call.by(mount);
          return null;
        });
  }

  /** The same with another way to mount it. */
  public Interludes mounted(Mounting by) {
    return new Interludes(by, setUp, call);
  }

  /**
   * Does one thing before each operation.
   *
   * @param check looks at the answers where that could be done
   * @return how often it could be done
   */
  public int beforeEachOperation(Meanwhile meanwhile, Check check) throws IOException {
    int could = 0;
    for (int at = 1; ; at++) {
      Outcome outcome = run(List.of(meanwhile), check, at);
      if (outcome.met() == 0) {
        return could;
      }
      could += outcome.couldAll() ? 1 : 0;
    }
  }

  /**
   * Does one thing before an operation, and another before a later one, for each pair of them.
   *
   * @param check looks at the answers where both could be done
   * @return how often both could be done
   */
  public int beforeEachPair(Meanwhile first, Meanwhile second, Check check) throws IOException {
    int could = 0;
    for (int one = 1; ; one++) {
      for (int two = one + 1; ; two++) {
        Outcome outcome = run(List.of(first, second), check, one, two);
        if (outcome.met() == 0) {
          return could;
        }
        if (outcome.met() == 1) {
          break;
        }
        could += outcome.couldAll() ? 1 : 0;
      }
    }
  }

  /**
   * How one call went.
   *
   * @param met how many of the operations there were before which something was to be done
   * @param couldAll whether all of it could be done
   */
  private record Outcome(int met, boolean couldAll) {}

  private Outcome run(List<Meanwhile> things, Check check, int... operations) throws IOException {
    String when = "before operations " + Arrays.toString(operations);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount first = mounting.of(cluster.client("setup"));
    setUp.by(first);
    first.ledger().close();
    SimulatedMount other = mounting.of(cluster.client("other"));
    AtomicInteger met = new AtomicInteger();
    AtomicInteger could = new AtomicInteger();
    SortedMap<Integer, FaultPlan.Interlude> interludes = new TreeMap<>();
    for (int i = 0; i < operations.length; i++) {
      Meanwhile thing = things.get(i);
      interludes.put(
          operations[i],
          op -> {
            met.incrementAndGet();
            could.addAndGet(thing.by(other) ? 1 : 0);
          });
    }
    SimulatedClient client = cluster.client("a");
    AtomicBoolean unused = client.faults().before(interludes);

    Object value = null;
    Optional<IOException> failure = Optional.empty();
    try {
      value = call.by(mounting.of(client));
    } catch (IOException e) {
      failure = Optional.of(e);
    }

    if (met.get() < operations.length) {
      return new Outcome(met.get(), false);
    }
    if (interludes.lastKey() > OPERATIONS) {
      throw new AssertionError("a call of more than " + OPERATIONS + " operations");
    }
    boolean all = could.get() == operations.length;
    if (all) {
      SimulatedMount reader = mounting.of(cluster.client("reader"));
      check.of(new Answer(reader, value, failure, when));
      reader.sweep();
      PoolChecker.check(cluster, SimulatedMount.POOL);
    }
    return new Outcome(met.get(), all);
  }
}
