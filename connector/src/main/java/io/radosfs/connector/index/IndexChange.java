package io.radosfs.connector.index;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.WriteOp;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One guarded change of one object of a directory index: what must hold, and what is set and
 * removed if it does. It is one RADOS operation; {@link IndexWriter} runs it.
 */
public final class IndexChange {

  private final IndexObject index;
  private final Optional<IndexHead> expectedHead;
  private final Map<String, Optional<byte[]>> expected = new LinkedHashMap<>();
  private final Map<String, byte[]> sets = new HashMap<>();
  private final Set<String> removals = new LinkedHashSet<>();
  private Optional<IndexHead> newHead = Optional.empty();
  private Optional<byte[]> changeSeen = Optional.empty();
  private final Uid token = Uid.random();
  private boolean transactional;
  private boolean removesIndex;

  private IndexChange(IndexObject index, Optional<IndexHead> expectedHead) {
    this.index = index;
    this.expectedHead = expectedHead;
  }

  /** A change of an index object whose head is exactly this. */
  public static IndexChange of(IndexObject index, IndexHead expectedHead) {
    return new IndexChange(index, Optional.of(expectedHead));
  }

  /** A change of the head object of a directory, whose head is exactly this. */
  public static IndexChange of(FsPath directory, IndexHead expectedHead) {
    return of(IndexObject.head(directory), expectedHead);
  }

  /** A change of the index object that was seen, whose head still is as it was. */
  public static IndexChange of(DirectoryView seen) throws LayoutException {
    return of(seen.index(), seen.head().orElseThrow());
  }

  /** A change that makes an index object, which must not exist, with this head. */
  public static IndexChange creating(IndexObject index, IndexHead head) {
    return new IndexChange(index, Optional.empty()).head(head);
  }

  /** A change that makes the head object of a directory, which must not exist. */
  public static IndexChange creating(FsPath directory, IndexHead head) {
    return creating(IndexObject.head(directory), head);
  }

  /** Guards that a key has this value; empty, that it is absent. */
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
   * Guards that nobody holds a name and that its entry is this.
   *
   * @param stored empty for no entry
   */
  public IndexChange expectFree(String name, Optional<byte[]> stored) {
    return expectAbsent(IndexKeys.claim(name)).expect(IndexKeys.entry(name), stored);
  }

  /** How many keys it sets, beside the index' own. */
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

  /** Gives the index another head. */
  public IndexChange head(IndexHead head) {
    newHead = Optional.of(head);
    return this;
  }

  /** Says that a listing in pages must not see this in part ({@link IndexKeys#TRANSACTIONS}). */
  public IndexChange transactional() {
    transactional = true;
    return this;
  }

  /**
   * The {@link IndexKeys#CHANGE} that was read with what the change rests on. It is not guarded,
   * but lets a lost answer be told from a lost request.
   */
  public IndexChange seen(DirectoryView view) {
    changeSeen = view.value(IndexKeys.CHANGE);
    return this;
  }

  /** Guards that nothing at all has changed since the view. */
  public IndexChange expectUnchanged(DirectoryView view) {
    return expect(IndexKeys.CHANGE, view.value(IndexKeys.CHANGE));
  }

  /** Removes the index object itself, guards permitting; nothing is set then. */
  public IndexChange removeIndex() {
    removesIndex = true;
    return this;
  }

  /** The {@link IndexKeys#CHANGE} that it sets, by which its effect can be told. */
  public Uid token() {
    return token;
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

  Optional<byte[]> changeSeen() {
    return changeSeen;
  }

  Map<String, byte[]> sets() {
    return sets;
  }

  Set<String> removals() {
    return removals;
  }

  boolean isTransactional() {
    return transactional;
  }

  boolean altersHead() {
    return newHead.isPresent() && !newHead.equals(expectedHead);
  }

  boolean removesIndex() {
    return removesIndex;
  }

  /**
   * The operation.
   *
   * @param expectChangeSeen whether to guard with the change that was seen
   */
  WriteOp operation(boolean expectChangeSeen) {
    WriteOp.Builder op = WriteOp.builder();
    if (expectedHead.isEmpty()) {
      op.createExclusive();
    } else {
      op.assertExists().compareOmap(IndexKeys.HEAD, expectedHead.get().encode());
    }
    expected.forEach(
        (key, value) ->
            value.ifPresentOrElse(bytes -> op.compareOmap(key, bytes), () -> op.absentOmap(key)));
    if (expectChangeSeen) {
      op.compareOmap(IndexKeys.CHANGE, changeSeen.orElseThrow());
    }
    if (removesIndex) {
      return op.remove().build();
    }
    SortedMap<String, byte[]> all = new TreeMap<>(sets);
    newHead.ifPresent(head -> all.put(IndexKeys.HEAD, head.encode()));
    byte[] tokenBytes = token.value().getBytes(StandardCharsets.UTF_8);
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
