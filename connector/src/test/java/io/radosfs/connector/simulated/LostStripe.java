// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import java.util.regex.Pattern;

/**
 * The one lost request that a writer does not make up for: that of a stripe after the first, whose
 * content librados alone had. Nothing of the file is visible then.
 */
public final class LostStripe {

  private static final Pattern AFTER_THE_FIRST =
      Pattern.compile(".*//[0-9a-f]{24}/(?!00000000)[0-9]{8}", Pattern.DOTALL);

  private LostStripe() {}

  /** Whether the program ended with it. */
  public static boolean ended(Outcome outcome) {
    return outcome.failed()
        && outcome.failure() instanceof StoreException e
        && e.is(Kind.OUTCOME_UNKNOWN)
        && e.getMessage().contains(Fault.LOSE_REQUEST.toString())
        && AFTER_THE_FIRST.matcher(e.object()).matches();
  }
}
