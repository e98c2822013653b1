// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.WriteOp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A guarded change of one index object: what must hold, and what is set and removed if it does. It
 * is one RADOS operation; {@link IndexWriter} runs it.
 */
public final class IndexChange {

  private final IndexObject index;
  private final Optional<IndexHead> expectedHead;
  private final Map<String, Optional<byte[]>> expected = new LinkedHashMap<>();
  private final Map<String, byte[]> sets = new HashMap<>();
  private final Set<String> removals = new LinkedHashSet<>();
  private Optional<IndexHead> newHead = Optional.empty();
  private final Set<String> returning = new HashSet<>();
  private Optional<DirectoryView> seen = Optional.empty();
  private Optional<byte[]> fenceSeen = Optional.empty();
  private final List<byte[]> tokens = new ArrayList<>();
  private Uid token;
  private boolean transactional;
  private boolean othersMayMakeIt;
  private boolean removesIndex;
  private boolean evenIfFull;
  private boolean lists = true;

  private IndexChange(IndexObject index, Optional<IndexHead> expectedHead) {
    this.index = index;
    this.expectedHead = expectedHead;
    renewToken();
  }

  /** A change of an index object, guarded with exactly this head. */
  public static IndexChange of(IndexObject index, IndexHead expectedHead) {
    return new IndexChange(index, Optional.of(expectedHead));
  }

  /** A change of the head object of a directory, guarded with exactly this head. */
  public static IndexChange of(FsPath directory, IndexHead expectedHead) {
    return of(IndexObject.head(directory), expectedHead);
  }

  /** A change of the index object of this view, guarded with the head that it shows. */
  public static IndexChange of(DirectoryView seen) throws LayoutException {
    return of(seen.index(), seen.head().orElseThrow());
  }

  /** A change that creates an index object with this head; the object must not exist. */
  public static IndexChange creating(IndexObject index, IndexHead head) {
    return new IndexChange(index, Optional.empty()).head(head);
  }

  /** A change that creates the head object of a directory, which must not exist. */
  public static IndexChange creating(FsPath directory, IndexHead head) {
    return creating(IndexObject.head(directory), head);
  }

  /** Guards that a key has this value, or, if empty, that the key is absent. */
  public IndexChange expect(String key, Optional<byte[]> value) {
    expected.put(key, value);
    return this;
  }

  public IndexChange expect(String key, byte[] value) {
    return expect(key, Optional.of(value));
  }

  public IndexChange expectAbsent(String key) {
    return expect(key, Optional.empty());
  }

  /**
   * Guards that no transaction holds a name, and that this is its entry.
   *
   * @param stored empty for no entry
   */
  public IndexChange expectFree(String name, Optional<byte[]> stored) {
    return expectAbsent(IndexKeys.intent(name)).expect(IndexKeys.entry(name), stored);
  }

  /**
   * Notes that others may give a key the value back that this change takes from it: a file may be
   * renamed back, attributes may be set back. So if the key has that value after a try, this is no
   * proof that the try had no effect.
   */
  public IndexChange mayReturn(String key) {
    returning.add(key);
    return this;
  }

  /**
   * Notes that another client can make exactly this change: it sets nothing that is this client's
   * alone, such as a new uid. Then it is no proof of its effect that all of it is there.
   */
  public IndexChange othersMayMakeIt() {
    othersMayMakeIt = true;
    return this;
  }

  /** How many keys it sets, not counting the index's own. */
  public int keysSet() {
    return sets.size();
  }

  public IndexChange set(String key, byte[] value) {
    removals.remove(key);
    sets.put(key, value);
    return this;
  }

  public IndexChange remove(String key) {
    sets.remove(key);
    removals.add(key);
    return this;
  }

  /** Lists data that this change removes from the index as a deferred deletion. */
  public IndexChange defer(DeferredDeletion removed) {
    return set(IndexKeys.deferredDeletion(removed.uid()), removed.encode());
  }

  /** Sets the head. */
  public IndexChange head(IndexHead head) {
    newHead = Optional.of(head);
    return this;
  }

  /**
   * Sets the layout.
   *
   * @param before the present layout
   */
  public IndexChange layout(DataLayout before, DataLayout layout) {
    if (before.equals(layout)) {
      return this;
    }
    return layout.isDefault() ? remove(IndexKeys.LAYOUT) : set(IndexKeys.LAYOUT, layout.encode());
  }

  /** Says that no listing in pages may see this in part ({@link IndexKeys#TRANSACTIONS}). */
  public IndexChange transactional() {
    transactional = true;
    return this;
  }

  /**
   * Notes the {@link IndexKeys#CHANGE} that was read with what the change rests on; if the change
   * is {@link #transactional}, the {@link IndexKeys#TRANSACTIONS}, which fewer changes of others
   * set anew. It tells a lost answer from a lost request. Only a repetition is guarded with it.
   */
  public IndexChange seen(DirectoryView view) {
    seen = Optional.of(view);
    return this;
  }

  /**
   * Guards that nothing at all has changed since the view. Its {@link IndexKeys#FENCE} tells this
   * index from one that is made later at the same path.
   */
  public IndexChange expectUnchanged(DirectoryView view) {
    fenceSeen = view.value(IndexKeys.FENCE);
    return expect(IndexKeys.CHANGE, view.value(IndexKeys.CHANGE));
  }

  /** Applies it even if the pool is full: for changes that serve to remove something. */
  public IndexChange evenIfFull() {
    evenIfFull = true;
    return this;
  }

  /** Removes the index object itself if the guards hold. Nothing is set then. */
  public IndexChange removeIndex() {
    removesIndex = true;
    return this;
  }

  /**
   * The {@link IndexKeys#CHANGE} that it sets, which proves its effect. If the change was repeated,
   * this is the value of the last try; a guard with it fails if another try was applied.
   */
  public Uid token() {
    return token;
  }

  /**
   * Gives the next try another token. If others have removed an index that an earlier try made, the
   * next try may make another. A client that remembers the token or the {@link IndexKeys#FENCE} of
   * the first index must not take the second for it.
   */
  final void renewToken() {
    token = Uid.random();
    tokens.add(tokenBytes());
  }

  private byte[] tokenBytes() {
    return token.value().getBytes(StandardCharsets.UTF_8);
  }

  /** Whether this is the token of any try. */
  boolean isToken(byte[] change) {
    return tokens.stream().anyMatch(own -> Arrays.equals(own, change));
  }

  /**
   * Whether this has made the last change of the index object, or the last one of a transaction if
   * it is {@link #transactional}. For one that was refused: it may have been applied, and refused
   * when it came to the OSD once more, which knows no more requests than {@code
   * osd_pg_log_dups_tracked}. If others have changed more since, this does not tell.
   */
  public boolean isLastIn(DirectoryView view) {
    return view.value(IndexKeys.CHANGE).filter(this::isToken).isPresent()
        || transactional && view.value(IndexKeys.TRANSACTIONS).filter(this::isToken).isPresent();
  }

  /** Whether one of these, which were refused, {@link #isLastIn} the view. */
  public static boolean anyIsLastIn(DirectoryView view, Collection<IndexChange> refused) {
    return refused.stream().anyMatch(change -> change.isLastIn(view));
  }

  /** Notes that a look-up did not find what this change lists for deletion. */
  void listedNothing() {
    lists = false;
  }

  /**
   * Whether the index lists what this change lists for deletion, so that it may be deleted. Call it
   * after {@link IndexWriter} has said that the change is made. If false, the data is deleted
   * already, or others have moved it to another name.
   */
  public boolean hasListed() {
    return lists;
  }

  public IndexObject index() {
    return index;
  }

  String object() {
    return index.name();
  }

  Map<String, Optional<byte[]>> expected() {
    return expected;
  }

  Optional<IndexHead> expectedHead() {
    return expectedHead;
  }

  /** The key, noted by {@link #seen}, that every effect of the change sets anew. */
  private String keySeen() {
    return transactional && seen.flatMap(view -> view.value(IndexKeys.TRANSACTIONS)).isPresent()
        ? IndexKeys.TRANSACTIONS
        : IndexKeys.CHANGE;
  }

  /**
   * Whether what {@link #seen} has noted is as it was: then no try of this change was applied, nor
   * anything else that sets that key.
   */
  public boolean isAsSeen(DirectoryView now) {
    Optional<byte[]> noted = seen.flatMap(view -> view.value(keySeen()));
    return noted.isPresent() && Arrays.equals(noted.get(), now.value(keySeen()).orElse(null));
  }

  /**
   * Whether no transaction, and no rename, has changed the index since the view that {@link #seen}
   * has noted: so no try of this change was applied if it is {@link #transactional}, and nothing
   * that another try has entered was renamed since. An index made anew is another one.
   */
  public boolean noTransactionSince(DirectoryView now) {
    return seen.filter(view -> now.exists() && isSameTransaction(view, now)).isPresent();
  }

  private static boolean isSameTransaction(DirectoryView before, DirectoryView now) {
    Optional<byte[]> last = before.value(IndexKeys.TRANSACTIONS);
    String key = last.isPresent() ? IndexKeys.TRANSACTIONS : IndexKeys.FENCE;
    return (last.isPresent() || now.value(IndexKeys.TRANSACTIONS).isEmpty())
        && Arrays.equals(before.value(key).orElse(null), now.value(key).orElse(null));
  }

  /** Whether this may be another index than the one that was seen, made after that was removed. */
  boolean mayBeAnother(DirectoryView now) {
    return fenceSeen.isPresent()
        && !Arrays.equals(fenceSeen.get(), now.value(IndexKeys.FENCE).orElse(null));
  }

  boolean returns(String key) {
    return returning.contains(key);
  }

  Map<String, byte[]> sets() {
    return sets;
  }

  Set<String> removals() {
    return removals;
  }

  /** Whether all that this sets is there by this change alone. */
  boolean isUnlikeOthers() {
    return !othersMayMakeIt;
  }

  /** Whether the change sets or removes the key. */
  boolean alters(String key) {
    return removesIndex
        || key.equals(IndexKeys.CHANGE)
        || (transactional && key.equals(IndexKeys.TRANSACTIONS))
        || removals.contains(key)
        || sets.containsKey(key);
  }

  /** The head that the change sets, if it sets one. */
  Optional<IndexHead> newHead() {
    return newHead;
  }

  boolean altersHead() {
    return newHead.isPresent() && !newHead.equals(expectedHead);
  }

  boolean removesIndex() {
    return removesIndex;
  }

  /**
   * Builds the operation.
   *
   * @param repetition whether to guard also with what {@link #seen} has noted, if it has
   */
  WriteOp operation(boolean repetition) {
    WriteOp.Builder op = WriteOp.builder();
    if (evenIfFull) {
      op.evenIfFull();
    }
    if (expectedHead.isEmpty()) {
      op.createExclusive();
    } else {
      op.assertExists().compareOmap(IndexKeys.HEAD, expectedHead.get().encode());
    }
    expected.forEach(
        (key, value) ->
            value.ifPresentOrElse(bytes -> op.compareOmap(key, bytes), () -> op.absentOmap(key)));
    if (repetition) {
      seen.flatMap(view -> view.value(keySeen()))
          .ifPresent(noted -> op.compareOmap(keySeen(), noted));
    }
    if (removesIndex) {
      return op.remove().build();
    }
    SortedMap<String, byte[]> all = new TreeMap<>(sets);
    newHead.ifPresent(head -> all.put(IndexKeys.HEAD, head.encode()));
    byte[] tokenBytes = tokenBytes();
    all.put(IndexKeys.CHANGE, tokenBytes);
    if (transactional) {
      all.put(IndexKeys.TRANSACTIONS, tokenBytes);
    }
    if (expectedHead.isEmpty()) {
      all.put(IndexKeys.FENCE, tokenBytes);
    }
    return op.removeOmap(removals).setOmap(all).build();
  }
}
