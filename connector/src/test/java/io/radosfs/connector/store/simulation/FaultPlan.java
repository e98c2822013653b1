// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What goes wrong for one client. Operations are numbered from 1 in the order in which the client
 * submits them, blocking or not.
 */
public final class FaultPlan {

  private record Rule(Predicate<OpInfo> where, Fault fault, boolean repeats) {}

  private final List<Rule> rules = new ArrayList<>();
  private final List<OpInfo> struck = new ArrayList<>();

  FaultPlan() {}

  /** At the client's n-th operation. */
  public FaultPlan atOp(int n, Fault fault) {
    return once(op -> op.number() == n, fault);
  }

  /** At the client's n-th write. */
  public FaultPlan atWrite(int n, Fault fault) {
    return once(op -> op.write() && op.ordinal() == n, fault);
  }

  /** At the client's n-th read. */
  public FaultPlan atRead(int n, Fault fault) {
    return once(op -> !op.write() && op.ordinal() == n, fault);
  }

  /** At the first operation, from now on, for which the predicate holds. */
  public synchronized FaultPlan once(Predicate<OpInfo> where, Fault fault) {
    rules.add(new Rule(where, fault, false));
    return this;
  }

  /** At every operation for which the predicate holds. */
  public synchronized FaultPlan always(Predicate<OpInfo> where, Fault fault) {
    rules.add(new Rule(where, fault, true));
    return this;
  }

  /** Something that others do, just when the client sends an operation. */
  @FunctionalInterface
  public interface Interlude {
    void before(OpInfo op) throws IOException;
  }

  /**
   * Does each of these before the operation of that number.
   *
   * @return whether it came to the first of them
   */
  public AtomicBoolean before(SortedMap<Integer, Interlude> interludes) {
    AtomicBoolean reached = new AtomicBoolean();
    int first = interludes.firstKey();
    FaultPlan unused =
        before(
            op -> {
              if (op.number() == first) {
                reached.set(true);
              }
              if (interludes.containsKey(op.number())) {
                interludes.get(op.number()).before(op);
              }
            });
    return reached;
  }

  /** Does this before every operation, which then goes on. */
  public FaultPlan before(Interlude interlude) {
    return always(
        op -> {
          try {
            interlude.before(op);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return false;
        },
        Fault.CRASH_BEFORE);
  }

  /** Nothing goes wrong from now on; a client that has died stays dead. */
  public synchronized FaultPlan clear() {
    rules.clear();
    return this;
  }

  /** The operations that a fault has hit. */
  public synchronized List<OpInfo> struck() {
    return List.copyOf(struck);
  }

  synchronized Optional<Fault> strike(OpInfo op) {
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      if (rule.where().test(op)) {
        if (!rule.repeats()) {
          rules.remove(i);
        }
        struck.add(op);
        return Optional.of(rule.fault());
      }
    }
    return Optional.empty();
  }
}
