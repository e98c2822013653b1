// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import java.util.Map;
import java.util.Set;

/**
 * A write that is applied, and of which nobody learns it: its answer leaves it open, the look that
 * would tell fails, some operations go through, and from there on all fail in a way that is
 * definite.
 */
public final class OpenWrites {

  /** Operations that go through between the look that fails and the end. */
  private static final int MOST_GOOD = 5;

  /** What leaves a write open, and with how many good operations after it at most. */
  public static final Map<Fault, Integer> FAULTS =
      Map.of(Fault.LOSE_ANSWER, MOST_GOOD, Fault.failAfter(Kind.BLOCKLISTED), 1);

  /** What leaves a write open that was not made, and one that was. */
  public static final Set<Fault> MADE_OR_NOT =
      Set.of(Fault.failWith(Kind.OTHER), Fault.failAfter(Kind.OTHER));

  /** Definite for reads and writes. */
  private static final Fault DEFINITE = Fault.failWith(Kind.NO_SPACE);

  private OpenWrites() {}

  /**
   * Has it happen to a client, for which all goes well after that.
   *
   * @param open what happens to the write
   * @param write which of the client's writes it is, from 1
   */
  public static void strikeOnce(FaultPlan plan, Fault open, int write) {
    long[] look = {Long.MAX_VALUE};
    plan.once(
        op -> {
          boolean is = op.write() && op.ordinal() == write;
          if (is) {
            look[0] = op.number() + 1;
          }
          return is;
        },
        open);
    plan.once(op -> op.number() == look[0], DEFINITE);
  }

  /**
   * Has it happen to a client.
   *
   * @param open what happens to the write
   * @param write which of the client's writes it is, from 1
   * @param good how many operations go through
   */
  public static void strike(FaultPlan plan, Fault open, int write, int good) {
    long[] from = {Long.MAX_VALUE - MOST_GOOD};
    plan.once(
        op -> {
          boolean is = op.write() && op.ordinal() == write;
          if (is) {
            from[0] = op.number() + 1;
          }
          return is;
        },
        open);
    plan.always(op -> op.number() == from[0] || op.number() > from[0] + good, DEFINITE);
  }
}
