// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a transaction does in one directory.
 *
 * @param add files by name; a name that the directory holds already fails the transaction unless it
 *     is in {@code remove} with that very entry
 * @param remove entries as they were seen, by name; an entry that is no longer that one fails the
 *     transaction. Data of removed files is deleted after the commit, or kept for a while before
 *     ({@link Retention})
 * @param layout of the directory, if the transaction makes it
 */
public record DirectoryChange(
    SortedMap<String, Entry> add, SortedMap<String, Entry> remove, DataLayout layout) {

  public DirectoryChange {
    add = new TreeMap<>(add);
    remove = new TreeMap<>(remove);
  }

  /** With the default layout. */
  public DirectoryChange(SortedMap<String, Entry> add, SortedMap<String, Entry> remove) {
    this(add, remove, DataLayout.DEFAULT);
  }

  public static DirectoryChange adding(Map<String, ? extends Entry> files) {
    return new DirectoryChange(new TreeMap<>(files), new TreeMap<>());
  }

  /** Names touched. */
  public int size() {
    return add.size() + remove.size();
  }
}
