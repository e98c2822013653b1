// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;

/**
 * What an OSD answers that takes a write up again which it has applied: and that reads overtake
 * writes. A program may fail then, but not say that it has changed nothing where it has.
 */
public final class AppliedErrors {

  /** To be tried at writes. */
  public static final List<Fault> FAULTS =
      List.of(
          Fault.failAfter(Kind.BLOCKLISTED),
          Fault.failAfter(Kind.PERMISSION_DENIED),
          Fault.TWICE,
          Fault.OVERTAKEN);

  private AppliedErrors() {}

  /** Whether the program failed by such an error. */
  public static boolean failed(Trial trial, String program) {
    return trial.outcome(program).failed()
        && trial.description().contains(Fault.Action.FAIL_AFTER.toString());
  }

  /** Whether the failure says that the change may have been made. */
  public static boolean saidUnknown(Outcome outcome) {
    return outcome.failure() instanceof OutcomeUnknownException
        || (outcome.failure() instanceof StoreException
                || outcome.failure() instanceof AccessControlException)
            && new FailedWrite((IOException) outcome.failure()).mayHaveTakenEffect();
  }
}
