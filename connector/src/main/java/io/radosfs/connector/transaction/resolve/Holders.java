// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.WriteIntent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions that stand in the way of whoever wants to change names of an index object: by
 * intents on the names, or as they have locked the object.
 *
 * <p>Each has its mark there at every instant at which it holds anything, as mark and intents come
 * and go in the same operations.
 *
 * @param ids of the transactions
 * @param names those that they have intents on
 */
record Holders(Set<String> ids, Set<String> names) {

  /**
   * Those of a view.
   *
   * @param shared names that may have intents of transactions that make a directory of that name
   * @param own the transaction that may hold all of it
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

  /** What {@link #requireMarks} wants to be read. */
  Set<String> keys() {
    Set<String> keys = new HashSet<>();
    ids.forEach(id -> keys.add(IndexKeys.transaction(id)));
    names.forEach(name -> keys.add(IndexKeys.intent(name)));
    return keys;
  }

  /**
   * Fails where one of them holds something in an index object that has no mark of it. Nobody would
   * ever resolve it, so there is nothing to wait for.
   *
   * @param now a later view, with the {@link #keys}
   */
  void requireMarks(DirectoryView now) throws IOException {
    for (String id : ids) {
      if (now.value(IndexKeys.transaction(id)).isEmpty() && now.transactions(names).contains(id)) {
        throw damaged(now, id);
      }
    }
  }

  private LayoutException damaged(DirectoryView now, String id) throws IOException {
    for (String name : names) {
      Optional<WriteIntent> intent = now.intent(name);
      if (intent.filter(c -> c.isBy(id)).isPresent()) {
        String key = IndexKeys.intent(name);
        return damaged(
            now,
            "'" + name + "' of directory " + now.directory() + " has a write intent",
            id,
            key,
            List.of("rmomapkey", now.object(), key));
      }
    }
    String opened = new String(now.head().orElseThrow().opened().encode(), StandardCharsets.UTF_8);
    return damaged(
        now,
        "directory " + now.directory() + " is locked",
        id,
        IndexKeys.HEAD,
        List.of("setomapval", now.object(), IndexKeys.HEAD, opened));
  }

  private static LayoutException damaged(
      DirectoryView now, String what, String id, String key, List<String> command) {
    return new LayoutException(
        what
            + " by transaction "
            + id
            + ", as omap key '"
            + key
            + "' of RADOS object '"
            + now.object()
            + "' says, which has no key '"
            + IndexKeys.transaction(id)
            + "'. It was damaged, or changed by another program; nothing was changed. It is read as"
            + " if the transaction had never been: where that is right, let go of it by: rados -p"
            + " <pool> "
            + command.get(0)
            + " '"
            + String.join("' '", command.subList(1, command.size()))
            + "'");
  }
}
