// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

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
}
