// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;

/** A driver that dies at the one operation that decides that its job is committed. */
final class DeathAtTheDecision {

  private DeathAtTheDecision() {}

  /**
   * Has a driver die there.
   *
   * @param crash just before the operation, or just after it
   */
  static void of(SimulatedClient driver, String job, Fault crash) {
    FaultPlan unused = driver.faults().once(op -> decides(op, job), crash);
  }

  /** The same guard is in the operation that takes the overwrite lock, which expects it free. */
  private static boolean decides(OpInfo op, String job) {
    return op.write()
        && op.summary().contains("compareOmap(j/" + job + "=")
        && !op.summary().contains("absentOmap(l)");
  }
}
