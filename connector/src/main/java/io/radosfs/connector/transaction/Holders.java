package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions that stand in the way of who wants to change names of an index object: by claims
 * on the names, or as they have locked the object.
 *
 * <p>Each has its mark there at every instant at which it holds anything, as mark and claims come
 * and go in the same operations.
 *
 * @param ids of the transactions
 * @param names those that are claimed by them
 */
record Holders(Set<String> ids, Set<String> names) {

  /**
   * Those of a view.
   *
   * @param shared names that may be claimed by transactions that make a directory of that name
   * @param own the transaction that may hold all of it
   */
  static Holders of(
      DirectoryView view, Collection<String> names, Collection<String> shared, Optional<String> own)
      throws IOException {
    Set<String> claimed = new HashSet<>();
    for (String name : view.isSharded() || !view.hasClaims() ? Set.<String>of() : names) {
      Optional<Claim> claim = view.claim(name);
      boolean mayStay =
          shared.contains(name)
              && claim.filter(c -> c.kind() == Claim.Kind.MAKE_DIRECTORY).isPresent();
      if (claim.isPresent() && !mayStay) {
        claimed.add(name);
      }
    }
    Set<String> ids = IntentVisibility.transactions(view, claimed);
    own.ifPresent(ids::remove);
    return new Holders(ids, claimed);
  }

  boolean none() {
    return ids.isEmpty();
  }

  /** What {@link #requireMarks} wants to be read. */
  Set<String> keys() {
    Set<String> keys = new HashSet<>();
    ids.forEach(id -> keys.add(IndexKeys.transaction(id)));
    names.forEach(name -> keys.add(IndexKeys.claim(name)));
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
      if (now.value(IndexKeys.transaction(id)).isEmpty()
          && IntentVisibility.transactions(now, names).contains(id)) {
        throw damaged(now, id);
      }
    }
  }

  private LayoutException damaged(DirectoryView now, String id) throws IOException {
    for (String name : names) {
      Optional<Claim> claim = now.claim(name);
      if (claim.filter(c -> c.isBy(id)).isPresent()) {
        String key = IndexKeys.claim(name);
        return damaged(
            now,
            "'" + name + "' of directory " + now.directory() + " is claimed",
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
