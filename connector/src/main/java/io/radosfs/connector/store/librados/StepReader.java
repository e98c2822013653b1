// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadResult;

/**
 * The native answer of one step of a read: where librados puts it, and how it becomes a result.
 *
 * <p>Made before the operation starts; {@link #release()} is called once, after librados has done
 * with the operation, whether it answered or not.
 */
interface StepReader {

  /** The step's own return value ({@code prval}), which librados sets for steps that ran. */
  int returnValue();

  /** The answer; asked for once, and only when the whole operation succeeded. */
  ReadResult.StepResult result();

  /** Ends a librados iterator, if the step has one; it exists even when the operation failed. */
  default void release() {}
}
