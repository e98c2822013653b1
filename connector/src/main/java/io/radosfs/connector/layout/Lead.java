// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a key of an index object leads to, and so keeps from being garbage. Only this class knows
 * it. {@code upkeep.Leads} finds the reverse: what leads to an object.
 */
public sealed interface Lead {

  /**
   * The keys that lead to something, or must be resolved before the index object may be removed
   * ({@link IndexKeys#TRANSACTION_PREFIX}: a mark stands for a transaction, which leads to the
   * intents). Other keys go with the object.
   */
  Set<String> PREFIXES =
      Set.of(
          IndexKeys.ENTRY_PREFIX,
          IndexKeys.INTENT_PREFIX,
          IndexKeys.TRANSACTION_PREFIX,
          IndexKeys.TRANSACTION_STATUS_PREFIX,
          IndexKeys.DEFERRED_DELETION_PREFIX);

  /** The objects of a file. */
  record ToFile(FileData data) implements Lead {}

  /** The index of a directory, if there is one, with its shards and all that they lead to. */
  record ToDirectory(FsPath directory) implements Lead {}

  /** The record of a job, with all that it leads to. */
  record ToJob(String record) implements Lead {}

  /** The uid in an entry of any version. */
  Pattern UID_OF_ENTRY = Pattern.compile("(?<= )(?:uid|data)=([0-9a-f]{24})(?= |$)");

  /**
   * Returns what a key leads to; empty for keys of other kinds.
   *
   * @throws LayoutException if it cannot be read; see {@link #said}
   */
  static List<Lead> of(IndexObject index, String key, byte[] value) throws LayoutException {
    if (key.startsWith(IndexKeys.ENTRY_PREFIX)) {
      FsPath path = path(index, key);
      return List.of(of(path, EntryCodec.decode(path, value)));
    }
    if (key.startsWith(IndexKeys.INTENT_PREFIX)) {
      FsPath path = path(index, key);
      Optional<Entry> added = WriteIntent.decode(path, value).entry();
      return added.map(entry -> List.of(of(path, entry))).orElse(List.of());
    }
    if (key.startsWith(IndexKeys.DEFERRED_DELETION_PREFIX)) {
      DeferredDeletion deferred = DeferredDeletion.decode(index.name(), key, value);
      return deferred instanceof DeferredDeletion.OfFile file
          ? List.of(new ToFile(file.file().data()))
          : List.of(new ToDirectory(((DeferredDeletion.OfDirectory) deferred).directory()));
    }
    if (key.startsWith(IndexKeys.TRANSACTION_STATUS_PREFIX)) {
      String id = IndexKeys.transactionOfStatus(key);
      return of(id, TransactionStatus.decode(index.name(), id, value));
    }
    return List.of();
  }

  /**
   * Returns the path of the name in the key of an entry or intent.
   *
   * @throws LayoutException if the name is not valid
   */
  static FsPath path(IndexObject index, String key) throws LayoutException {
    try {
      return index.directory().child(IndexKeys.nameOf(key));
    } catch (FsPath.InvalidNameException e) {
      throw new LayoutException(
          "cannot read omap key '" + key + "' of RADOS object '" + index + "': it has no name", e);
    }
  }

  /** What the entry of a path leads to. */
  static Lead of(FsPath path, Entry entry) {
    return entry instanceof Entry.OfFile file ? new ToFile(file.data()) : new ToDirectory(path);
  }

  /** A rename may have made indexes that nothing else leads to yet, or may have left some. */
  private static List<Lead> of(String id, TransactionStatus status) {
    String owner = status.owner();
    return OwnTransactions.include(id, owner)
        ? OwnTransactions.paths(owner).stream().<Lead>map(ToDirectory::new).toList()
        : List.of(new ToJob(owner));
  }

  /** The uids of files in an entry or intent that cannot be read. */
  static List<Uid> said(byte[] unreadable) {
    List<Uid> uids = new ArrayList<>();
    Matcher said = UID_OF_ENTRY.matcher(new String(unreadable, StandardCharsets.UTF_8));
    while (said.find()) {
      uids.add(new Uid(said.group(1)));
    }
    return uids;
  }

  /** All uids in a line of a job's record, whatever form the committer gives to it. */
  static List<Uid> mentioned(String key, byte[] value) {
    List<Uid> uids = new ArrayList<>(Uid.in(key.getBytes(StandardCharsets.UTF_8)));
    uids.addAll(Uid.in(value));
    return uids;
  }
}
