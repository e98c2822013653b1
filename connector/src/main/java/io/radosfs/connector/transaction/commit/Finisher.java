// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;

/** Finishes what other clients have registered in a directory. */
@FunctionalInterface
public interface Finisher {

  /**
   * Aborts a rename or removal that is not decided. Resolves it everywhere, and forgets it. Of a
   * job that is committed, resolves what it has in directories elsewhere; other jobs are left
   * alone.
   */
  void finish(Registration registration, TransactionStatus status) throws IOException;
}
