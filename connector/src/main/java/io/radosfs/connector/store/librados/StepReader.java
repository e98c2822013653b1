// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadResult;

/**
 * Takes the native answer of one step of a read, and makes a result of it.
 *
 * <p>Made before the operation starts. {@link #release()} is called once, after librados is done
 * with the operation, whether or not it was answered.
 */
interface StepReader {

  /** The step's own return value ({@code prval}), which librados sets for steps that ran. */
  int returnValue();

  /** Returns the result; called once, and only if the whole operation succeeded. */
  ReadResult.StepResult result();

  /** Ends the step's librados iterator, if any, which exists even if the operation failed. */
  default void release() {}
}
