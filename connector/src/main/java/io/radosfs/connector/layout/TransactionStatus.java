// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The status record of a transaction. Stored under {@link IndexKeys#transactionStatus} in the index
 * of its coordinator.
 *
 * @param owner the record of the job, or what a rename or removal does ({@link OwnTransactions})
 * @param elsewhere directories that it concerns and that are not below the coordinator. Known once
 *     it is COMMITTED; a client that removes the coordinator must first resolve it there
 * @param takeovers the takeovers, in their order: only what the last one has prepared counts
 *     ({@link Takeover})
 */
public record TransactionStatus(
    State state, String owner, Set<FsPath> elsewhere, List<Uid> takeovers) {

  /** COMMITTED and ABORTED are final. */
  public enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  private static final String VERSION = "decision 1 ";

  /** Paths hold no double slash, so it can separate them. */
  private static final String SEPARATOR = "//";

  public TransactionStatus {
    elsewhere = Set.copyOf(elsewhere);
    takeovers = List.copyOf(takeovers);
  }

  public TransactionStatus(State state, String owner) {
    this(state, owner, Set.of(), List.of());
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
            + (elsewhere.isEmpty() ? "" : " elsewhere=" + StoredText.escape(paths))
            + (takeovers.isEmpty() ? "" : " takeovers=" + encoded(takeovers)));
  }

  private static String encoded(List<Uid> takeovers) {
    return takeovers.stream().map(Uid::value).collect(Collectors.joining(","));
  }

  public TransactionStatus as(State other) {
    return new TransactionStatus(other, owner, elsewhere, takeovers);
  }

  public TransactionStatus concerning(Set<FsPath> directories) {
    return new TransactionStatus(state, owner, directories, takeovers);
  }

  /** The same record with one more takeover. */
  public TransactionStatus takenOver(Uid by) {
    List<Uid> all = new ArrayList<>(takeovers);
    all.add(by);
    return new TransactionStatus(state, owner, elsewhere, all);
  }

  /** The id of the preparation that counts. */
  public String prepared(String transaction) {
    return lastTakeover().map(by -> Takeover.id(transaction, by)).orElse(transaction);
  }

  /** Whose preparations count, if it was taken over. */
  public Optional<Uid> lastTakeover() {
    return takeovers.isEmpty()
        ? Optional.empty()
        : Optional.of(takeovers.get(takeovers.size() - 1));
  }

  /** The ids of earlier preparations that were taken over: what they have written never counts. */
  public List<String> overtaken(String transaction) {
    List<String> ids = new ArrayList<>();
    if (!takeovers.isEmpty()) {
      ids.add(transaction);
      takeovers
          .subList(0, takeovers.size() - 1)
          .forEach(by -> ids.add(Takeover.id(transaction, by)));
    }
    return ids;
  }

  /** The status of what is prepared by an id: aborted if it was taken over. */
  public TransactionStatus of(String id) {
    return prepared(Takeover.transactionOf(id)).equals(id) ? this : as(State.ABORTED);
  }

  public boolean is(State other) {
    return state == other;
  }

  /**
   * Reads a stored record.
   *
   * @param object for the error
   * @param id of the transaction, or of one of its preparations
   */
  public static TransactionStatus decode(String object, String id, byte[] stored)
      throws LayoutException {
    return decode(object, IndexKeys.transactionStatus(id), id, stored);
  }

  /** The same of a record that is stored under another key. */
  public static TransactionStatus decode(String object, String key, String id, byte[] stored)
      throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        StoredFields fields = new StoredFields(text, VERSION.length());
        String owner = fields.requiredText("owner");
        if (OwnTransactions.include(id, owner)) {
          List<FsPath> checked = OwnTransactions.paths(owner);
        }
        return new TransactionStatus(
            State.valueOf(fields.required("state")), owner, elsewhere(fields), takeovers(fields));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, key, stored, e);
    }
    throw StoredText.garbage(object, key, stored, null);
  }

  private static List<Uid> takeovers(StoredFields fields) {
    List<Uid> takeovers = new ArrayList<>();
    Optional<String> stored = fields.text("takeovers");
    if (stored.isPresent()) {
      for (String by : stored.get().split(",", -1)) {
        takeovers.add(new Uid(by));
      }
    }
    return takeovers;
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
