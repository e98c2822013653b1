// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.io.IOException;

/** Data was to be removed from a pool that does not say that it holds this file system's data. */
public final class ForeignPoolException extends IOException {

  private static final long serialVersionUID = 1L;

  ForeignPoolException(String pool, String indexPool) {
    super(
        "nothing is removed in pool '"
            + pool
            + "' on the word of pool '"
            + indexPool
            + "', as it does not say that it holds data of the file system there. If it does, or was"
            + " made a data pool by an older radosfs, say so with a key that may write to it:"
            + " `radosfs layout set --data-pool "
            + pool
            + "`, with the URI of a directory whose files' data is there");
  }
}
