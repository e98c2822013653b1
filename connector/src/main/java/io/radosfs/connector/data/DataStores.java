// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;

/** Knows the pool that a file's data is in. Thread-safe. */
@FunctionalInterface
public interface DataStores {

  /**
   * The store of the file's data pool, which stays its owner's to close.
   *
   * @throws NoSuchPoolException when there is no such pool
   */
  ObjectStore of(FileData file) throws IOException;
}
