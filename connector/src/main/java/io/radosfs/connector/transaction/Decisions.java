package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Asks how transactions stand, and remembers that one is committed, which never changes again.
 *
 * <p>Thread-safe.
 */
final class Decisions {

  private static final int REMEMBERED = 10_000;

  private final IndexReader reader;
  private final LruCache<String, Decision> committed = new LruCache<>(REMEMBERED);

  Decisions(IndexReader reader) {
    this.reader = reader;
  }

  /**
   * How a transaction stands; empty when the decider knows nothing of it: it never began, or it has
   * been resolved everywhere and forgotten. One read, none for one known to be committed.
   */
  Optional<Decision> ask(String id, FsPath decider) throws IOException {
    Optional<Decision> known = committed.get(id);
    if (known.isPresent()) {
      return known;
    }
    Optional<Decision> decision = in(reader.keys(decider, List.of(IndexKeys.decision(id))), id);
    decision.filter(d -> d.is(Decision.State.COMMITTED)).ifPresent(d -> committed.put(id, d));
    return decision;
  }

  /** The decision in a view for which its key was asked. */
  static Optional<Decision> in(DirectoryView view, String id) throws IOException {
    Optional<byte[]> stored = view.value(IndexKeys.decision(id));
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(Decision.decode(view.object(), id, stored.get()));
  }
}
