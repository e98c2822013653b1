// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Write intents of one transaction in one index object, and what resolving them changes there. No
 * RADOS operation.
 *
 * @param id of the transaction
 */
record OwnIntents(String id, List<OwnIntent> intents) {

  /** How many bytes the keys of a name and a deferred deletion usually take. */
  private static final int KEYS_AND_LISTING = 384;

  /**
   * An intent.
   *
   * @param stored its value
   */
  private record OwnIntent(String name, WriteIntent intent, byte[] stored) {

    /** About how many bytes an operation carries to resolve it. */
    long bytes(boolean committed) {
      boolean isSet = committed || intent.kind() == WriteIntent.Kind.MAKE_DIRECTORY;
      return isSet ? KEYS_AND_LISTING + 2L * stored.length : KEYS_AND_LISTING;
    }
  }

  /** The transaction's intents of a page of intents. */
  static OwnIntents of(DirectoryPage page, String id) throws IOException {
    List<OwnIntent> own = new ArrayList<>();
    for (Map.Entry<String, byte[]> entry : page.entries().entrySet()) {
      String name = IndexKeys.nameOf(entry.getKey());
      WriteIntent intent =
          WriteIntent.decode(page.view().directory().child(name), entry.getValue());
      if (intent.isBy(id)) {
        own.add(new OwnIntent(name, intent, entry.getValue()));
      }
    }
    return new OwnIntents(id, own);
  }

  static OwnIntents of(String id, String name, WriteIntent intent, byte[] stored) {
    return new OwnIntents(id, List.of(new OwnIntent(name, intent, stored)));
  }

  boolean isEmpty() {
    return intents.isEmpty();
  }

  int size() {
    return intents.size();
  }

  Set<String> names() {
    return intents.stream().map(OwnIntent::name).collect(Collectors.toSet());
  }

  /** The mark of the transaction, and the intents that are of no other transaction too. */
  Set<String> keysOfItAlone() {
    Set<String> keys = new HashSet<>();
    keys.add(IndexKeys.transaction(id));
    for (OwnIntent own : intents) {
      if (own.intent().transactions().size() == 1) {
        keys.add(IndexKeys.intent(own.name()));
      }
    }
    return keys;
  }

  /** As many as one operation resolves; these themselves if it resolves all. */
  OwnIntents within(BatchLimit limit, boolean committed) {
    List<List<OwnIntent>> batches = limit.cut(intents, own -> own.bytes(committed));
    return batches.size() > 1 ? new OwnIntents(id, batches.get(0)) : this;
  }

  /** Whether the entries of their names must be known to roll them forward. */
  boolean needEntries() {
    return intents.stream().anyMatch(own -> own.intent().kind() != WriteIntent.Kind.ADD);
  }

  /**
   * Adds to a change what resolves these intents.
   *
   * @param entries has the entries of their names, where they are needed
   * @param retention how long the data of what is replaced is kept
   */
  void resolve(IndexChange change, DirectoryView entries, boolean committed, Retention retention)
      throws IOException {
    for (OwnIntent own : intents) {
      if (committed) {
        apply(change, entries, own, retention);
      }
      release(change, entries.directory().child(own.name()), own);
    }
  }

  private static void apply(
      IndexChange change, DirectoryView entries, OwnIntent own, Retention retention)
      throws IOException {
    String key = IndexKeys.entry(own.name());
    FsPath path = entries.directory().child(own.name());
    WriteIntent intent = own.intent();
    switch (intent.kind()) {
      case ADD -> change.set(key, intent.storedEntry(path));
      case REPLACE -> {
        change.defer(retention.replaced(path, removed(entries, own)));
        change.set(key, intent.storedEntry(path));
      }
      case REMOVE -> {
        change.defer(retention.replaced(path, removed(entries, own)));
        change.remove(key);
      }
      case MOVE_AWAY -> change.remove(key);
      case MAKE_DIRECTORY -> {
        Optional<byte[]> there = entries.storedEntry(own.name());
        change.expect(key, there);
        if (there.isEmpty()) {
          change.set(key, intent.storedEntry(path));
        }
      }
    }
  }

  private static Entry removed(DirectoryView entries, OwnIntent own) throws IOException {
    return entries
        .entry(own.name())
        .filter(entry -> own.intent().removed().filter(entry.uid()::equals).isPresent())
        .orElseThrow(
            () ->
                new LayoutException(
                    "directory "
                        + entries.directory()
                        + " has an intent to remove '"
                        + own.name()
                        + "', but not the entry that it names"));
  }

  /** A directory that several transactions make is held until the last of them is resolved. */
  private void release(IndexChange change, FsPath path, OwnIntent own) {
    String key = IndexKeys.intent(own.name());
    if (own.intent().kind() == WriteIntent.Kind.MAKE_DIRECTORY) {
      change.expect(key, own.stored());
    }
    own.intent()
        .without(id)
        .ifPresentOrElse(rest -> change.set(key, rest.encode(path)), () -> change.remove(key));
  }
}
