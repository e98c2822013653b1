// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.TransactionStatus;

/** Jobs that may be registered in a directory that is to be locked. */
public enum JobsThere {
  NONE,
  ENDED,
  ANY;

  boolean has(TransactionStatus job) {
    return switch (this) {
      case NONE -> false;
      case ENDED -> !job.is(TransactionStatus.State.PENDING);
      case ANY -> true;
    };
  }
}
