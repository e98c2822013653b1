// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;

/** Finds the pool of a file's data. Thread-safe. */
@FunctionalInterface
public interface DataStores {

  /**
   * Returns the store of the file's data pool. Its owner closes it, not the caller.
   *
   * @throws NoSuchPoolException if there is no such pool
   */
  ObjectStore of(FileData file) throws IOException;
}
