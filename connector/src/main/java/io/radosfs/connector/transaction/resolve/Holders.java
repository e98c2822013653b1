// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.transaction.read.Unmarked;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions that keep a client from changing names of an index object: they have intents on
 * the names, or have locked the object.
 *
 * <p>Each has its mark there whenever it holds anything, as mark and intents come and go in the
 * same operations.
 *
 * @param ids of the transactions
 * @param names those that they have intents on
 */
record Holders(Set<String> ids, Set<String> names) {

  /**
   * The holders in a view.
   *
   * @param shared names that may have intents of transactions that make a directory of that name
   * @param own the transaction that may hold all of it, and is not counted
   */
  static Holders of(
      DirectoryView view, Collection<String> names, Collection<String> shared, Optional<String> own)
      throws IOException {
    Set<String> intended = new HashSet<>();
    for (String name : view.isSharded() || !view.hasIntents() ? Set.<String>of() : names) {
      Optional<WriteIntent> intent = view.intent(name);
      boolean mayStay =
          shared.contains(name)
              && intent.filter(c -> c.kind() == WriteIntent.Kind.MAKE_DIRECTORY).isPresent();
      if (intent.isPresent() && !mayStay) {
        intended.add(name);
      }
    }
    Set<String> ids = view.transactions(intended);
    own.ifPresent(ids::remove);
    return new Holders(ids, intended);
  }

  boolean none() {
    return ids.isEmpty();
  }

  private Set<String> keys() {
    Set<String> keys = new HashSet<>();
    ids.forEach(id -> keys.add(IndexKeys.transaction(id)));
    names.forEach(name -> keys.add(IndexKeys.intent(name)));
    return keys;
  }

  /**
   * Reads their marks and intents. One read.
   *
   * @throws LayoutException if one of them holds something in the index object, which has no mark
   *     of it. No client would ever resolve that, so waiting is useless.
   */
  DirectoryView marks(IndexReader reader, IndexObject index) throws IOException {
    DirectoryView now = reader.keys(index, keys());
    List<Unmarked> held = Unmarked.of(now, reader.commands(), ids, names);
    if (!held.isEmpty()) {
      throw new LayoutException(held.get(0).detail());
    }
    return now;
  }
}
