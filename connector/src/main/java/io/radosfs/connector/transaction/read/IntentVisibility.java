// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.WriteIntent;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what one reader sees of a directory, by the states of the transactions in it. It asks for
 * each state once and holds to the answer, so that all that is read is of one instant.
 *
 * <p>For one read by one thread.
 */
public final class IntentVisibility {

  private final TransactionStatuses statuses;
  private final Map<String, Boolean> committed = new HashMap<>();

  IntentVisibility(TransactionStatuses statuses) {
    this.statuses = statuses;
  }

  boolean knowsAll(Collection<String> ids) {
    return committed.keySet().containsAll(ids);
  }

  /**
   * Asks about the transactions whose marks are in the view.
   *
   * @param ids those whose mark keys were requested
   * @param held those of them that hold, in this very view, what the reader wants
   * @return true if the view can be used as it is; false if the directory must be read again,
   *     because a transaction was resolved or forgotten meanwhile
   */
  boolean ask(DirectoryView view, Collection<String> ids, Collection<String> held)
      throws IOException {
    boolean usable = true;
    for (String id : ids) {
      Optional<byte[]> stored = view.value(IndexKeys.transaction(id));
      if (committed.containsKey(id)) {
        continue;
      }
      if (stored.isEmpty()) {
        if (held.contains(id)) {
          // Damage, see Holders. A listing begins with the marks, so it does not know of it either.
          committed.put(id, false);
        }
        continue;
      }
      TransactionMark mark = TransactionMark.decode(view.object(), id, stored.get());
      Optional<TransactionStatus> status = statuses.ask(id, mark.coordinator());
      // A status record is forgotten only once its transaction is resolved everywhere. If the mark
      // is still there when the directory is read again, the transaction was given up, and never
      // takes effect.
      usable &= status.isPresent();
      committed.put(id, status.filter(s -> s.is(TransactionStatus.State.COMMITTED)).isPresent());
    }
    return usable;
  }

  /** Whether a directory with this head has children to show. */
  boolean isReadable(Optional<IndexHead> head) {
    return head.isPresent()
        && switch (head.get().state()) {
          case OPEN, OPENING, SPLITTING -> true;
          case CLOSING, FILLING -> false;
          case FROZEN -> !isCommitted(head.get().tag());
        };
  }

  boolean isCommitted(String id) {
    return committed.getOrDefault(id, false);
  }

  /** What a reader sees under a name, given the stored entry and the intent. */
  Optional<Entry> visible(Optional<Entry> stored, Optional<WriteIntent> intent) {
    if (intent.isEmpty() || intent.get().transactions().stream().noneMatch(this::isCommitted)) {
      return stored;
    }
    return switch (intent.get().kind()) {
      case ADD, REPLACE -> intent.get().entry();
      case REMOVE, MOVE_AWAY -> Optional.empty();
      case MAKE_DIRECTORY -> stored.isPresent() ? stored : intent.get().entry();
    };
  }
}
