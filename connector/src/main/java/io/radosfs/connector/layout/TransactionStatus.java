// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The status record of a transaction: how it stands. Stored under {@link
 * IndexKeys#transactionStatus} in the index of its coordinator.
 *
 * @param owner what it belongs to: the record of a job, or a rename
 * @param elsewhere directories not below the coordinator that it concerns, as whoever removes the
 *     coordinator must resolve it there before; known from when it is COMMITTED
 */
public record TransactionStatus(State state, String owner, Set<FsPath> elsewhere) {

  /** COMMITTED and ABORTED are final. */
  public enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  private static final String VERSION = "decision 1 ";

  /** Paths hold no double slash, which so can part them. */
  private static final String SEPARATOR = "//";

  public TransactionStatus {
    elsewhere = Set.copyOf(elsewhere);
  }

  public TransactionStatus(State state, String owner) {
    this(state, owner, Set.of());
  }

  public byte[] encode() {
    String paths =
        new TreeSet<>(elsewhere).stream().map(FsPath::key).collect(Collectors.joining(SEPARATOR));
    return StoredText.bytes(
        VERSION
            + "state="
            + state
            + " owner="
            + StoredText.escape(owner)
            + (elsewhere.isEmpty() ? "" : " elsewhere=" + StoredText.escape(paths)));
  }

  public TransactionStatus as(State other) {
    return new TransactionStatus(other, owner, elsewhere);
  }

  public TransactionStatus concerning(Set<FsPath> directories) {
    return new TransactionStatus(state, owner, directories);
  }

  public boolean is(State other) {
    return state == other;
  }

  /** Reads a stored record; object and id are for the error. */
  public static TransactionStatus decode(String object, String id, byte[] stored)
      throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        StoredFields fields = new StoredFields(text, VERSION.length());
        return new TransactionStatus(
            State.valueOf(fields.required("state")),
            fields.requiredText("owner"),
            elsewhere(fields));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, IndexKeys.transactionStatus(id), stored, e);
    }
    throw StoredText.garbage(object, IndexKeys.transactionStatus(id), stored, null);
  }

  private static Set<FsPath> elsewhere(StoredFields fields) {
    Set<FsPath> paths = new TreeSet<>();
    Optional<String> stored = fields.text("elsewhere");
    if (stored.isPresent()) {
      for (String path : stored.get().split(SEPARATOR, -1)) {
        paths.add(FsPath.ofKey(path));
      }
    }
    return paths;
  }
}
