// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.FsPath.InvalidNameException;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.WriteIntent;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Some keys of one index object, as they were at one instant.
 *
 * @param exists whether the index object was there
 * @param values the values of the requested keys that are present, by key
 */
public record DirectoryView(IndexObject index, boolean exists, Map<String, byte[]> values) {

  static DirectoryView missing(IndexObject index) {
    return new DirectoryView(index, false, Map.of());
  }

  public FsPath directory() {
    return index.directory();
  }

  /** The name of the index object. */
  public String object() {
    return index.name();
  }

  public Optional<byte[]> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** The head; empty if there is no index object. Throws if the object is no index. */
  public Optional<IndexHead> head() throws LayoutException {
    if (!exists) {
      return Optional.empty();
    }
    byte[] stored = values.get(IndexKeys.HEAD);
    if (stored == null) {
      throw new LayoutException(
          "the object '"
              + object()
              + "' is where the index of directory "
              + directory()
              + " belongs, but it is none: it has no omap key '"
              + IndexKeys.HEAD
              + "'. If another program wrote it, give radosfs a namespace or pool of its own");
    }
    return Optional.of(IndexHead.decode(object(), stored));
  }

  public boolean isOpen() throws LayoutException {
    return head().filter(head -> head.is(IndexHead.State.OPEN)).isPresent();
  }

  /** Whether no transaction changed the index object between this view and the other one. */
  public boolean sameTransactions(DirectoryView other) {
    return Arrays.equals(
        values.get(IndexKeys.TRANSACTIONS), other.values.get(IndexKeys.TRANSACTIONS));
  }

  /**
   * Whether this view and the other one are of the same index, and no transaction changed it
   * between them. An index that is made where another was has a fence of its own. False also if
   * something else has set the fence anew.
   */
  boolean isSameIndex(DirectoryView other) {
    return Arrays.equals(values.get(IndexKeys.FENCE), other.values.get(IndexKeys.FENCE))
        && sameTransactions(other);
  }

  /** Where the data of new files goes; the default if no layout is stored. */
  public DataLayout layout() throws LayoutException {
    byte[] stored = values.get(IndexKeys.LAYOUT);
    return stored == null
        ? DataLayout.DEFAULT
        : DataLayout.decode(object(), IndexKeys.LAYOUT, stored);
  }

  /** Whether this is the head object of a directory whose names are in shards. */
  public boolean isSharded() throws LayoutException {
    return head().filter(IndexHead::isSharded).isPresent();
  }

  /** The stored entry of a requested name; ignores transactions. */
  public Optional<byte[]> storedEntry(String name) {
    return value(IndexKeys.entry(name));
  }

  /**
   * The entry of a requested name; ignores transactions. Empty in the head object of a directory
   * with shards, which may still hold entries from before the split.
   */
  public Optional<Entry> entry(String name) throws LayoutException, InvalidNameException {
    byte[] stored = values.get(IndexKeys.entry(name));
    return stored == null || isSharded()
        ? Optional.empty()
        : Optional.of(EntryCodec.decode(directory().child(name), stored));
  }

  /** Whether any requested name has an intent. */
  public boolean hasIntents() {
    return values.keySet().stream().anyMatch(key -> key.startsWith(IndexKeys.INTENT_PREFIX));
  }

  /** The intent on a requested name. */
  public Optional<WriteIntent> intent(String name) throws LayoutException, InvalidNameException {
    byte[] stored = values.get(IndexKeys.intent(name));
    return stored == null
        ? Optional.empty()
        : Optional.of(WriteIntent.decode(directory().child(name), stored));
  }

  /** The transactions that the visible state of these names depends on, directory locks too. */
  public Set<String> transactions(Collection<String> names)
      throws LayoutException, InvalidNameException {
    Set<String> ids = new HashSet<>();
    for (String name : names) {
      intent(name).ifPresent(intent -> ids.addAll(intent.transactions()));
    }
    head().filter(head -> head.is(IndexHead.State.FROZEN)).ifPresent(head -> ids.add(head.tag()));
    return ids;
  }
}
