// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadResult;

/** A step without a result: if it fails, the operation fails ({@code rados_read_op_cmpxattr}). */
final class GuardReader implements StepReader {

  @Override
  public int returnValue() {
    return 0;
  }

  @Override
  public ReadResult.StepResult result() {
    return new ReadResult.Passed();
  }
}
