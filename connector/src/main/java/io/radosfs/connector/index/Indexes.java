// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.ObjectStore;

/**
 * Access to the directory indexes of one file system, as they are stored.
 *
 * @param reader reads them
 * @param writer changes them under guards
 * @param router finds the index object that a name is in
 * @param retries tries a change again if another client was faster
 */
public record Indexes(IndexReader reader, IndexWriter writer, ShardRouter router, Retries retries) {

  public static Indexes of(ObjectStore store, Retries retries) {
    IndexReader reader = new IndexReader(store);
    return new Indexes(
        reader, new IndexWriter(store, reader), new ShardRouter(reader, retries), retries);
  }
}
