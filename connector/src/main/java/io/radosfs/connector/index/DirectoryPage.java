// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.IndexKeys;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * Consecutive keys of a directory index with one prefix, read together with its head.
 *
 * @param view the head, {@code h.change} and {@code h.transactions} at that instant
 * @param entries the values by key, in the order of the keys' bytes
 * @param more whether keys follow
 */
public record DirectoryPage(DirectoryView view, SortedMap<String, byte[]> entries, boolean more) {

  /** The key after which the next page starts. */
  public String lastKey() {
    return entries.lastKey();
  }

  /** The ids of the transactions whose marks these are; of a page of marks alone. */
  public Set<String> transactions() {
    Set<String> ids = new HashSet<>();
    entries.keySet().forEach(key -> ids.add(IndexKeys.transactionOf(key)));
    return ids;
  }
}
