// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.IndexScan;
import io.radosfs.connector.index.ScannedPage;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.OmapKeyOrder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The children in one index object as a reader sees them, in the order of their names' bytes. They
 * are held as stored, without extended attributes ({@link ScannedPage}). Each is decoded when its
 * turn comes, and each page is released when it is done.
 */
final class ObjectChildren implements RemoteIterator<VisibleChild> {

  private final FsPath directory;
  private final IntentVisibility visibility;
  private final Stored entries;
  private final Stored intents;
  private VisibleChild next;

  /**
   * @param scan a whole one, of entries and intents
   * @param visibility has asked about the transactions in it
   */
  ObjectChildren(FsPath directory, IndexScan scan, IntentVisibility visibility) {
    this(
        directory,
        visibility,
        new Stored(scan.pages(IndexKeys.ENTRY_PREFIX)),
        new Stored(scan.pages(IndexKeys.INTENT_PREFIX)));
  }

  private ObjectChildren(
      FsPath directory, IntentVisibility visibility, Stored entries, Stored intents) {
    this.directory = directory;
    this.visibility = visibility;
    this.entries = entries;
    this.intents = intents;
  }

  static ObjectChildren none() {
    return new ObjectChildren(FsPath.ROOT, null, new Stored(List.of()), new Stored(List.of()));
  }

  @Override
  public boolean hasNext() throws IOException {
    while (next == null && (entries.name != null || intents.name != null)) {
      next = merge();
    }
    return next != null;
  }

  @Override
  public VisibleChild next() throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    VisibleChild child = next;
    next = null;
    return child;
  }

  /** What is visible of the next name that has an entry, an intent or both; null if nothing is. */
  private VisibleChild merge() throws IOException {
    if (intents.name == null) {
      FsPath path = directory.child(entries.name);
      return new VisibleChild(path, entry(path));
    }
    int order =
        entries.name == null ? 1 : OmapKeyOrder.INSTANCE.compare(entries.name, intents.name);
    String name = order <= 0 ? entries.name : intents.name;
    FsPath path = directory.child(name);
    Optional<Entry> stored = order <= 0 ? Optional.of(entry(path)) : Optional.empty();
    Optional<WriteIntent> intent = order >= 0 ? Optional.of(intent(path)) : Optional.empty();
    return visibility
        .visible(stored, intent)
        .map(entry -> new VisibleChild(path, entry))
        .orElse(null);
  }

  private Entry entry(FsPath path) throws IOException {
    Entry entry = EntryCodec.decode(path, entries.text()).withXattrsLeftOut(entries.leftOut());
    entries.pass();
    return entry;
  }

  private WriteIntent intent(FsPath path) throws IOException {
    WriteIntent intent =
        WriteIntent.decode(path, intents.value()).withXattrsLeftOut(intents.leftOut());
    intents.pass();
    return intent;
  }

  /** Names and values of several pages, one after another. */
  private static final class Stored {
    private final Deque<ScannedPage> pages;
    private int at;

    /** The name that is next; null at the end. */
    private String name;

    Stored(Collection<ScannedPage> pages) {
      this.pages = new ArrayDeque<>(pages);
      show();
    }

    private void show() {
      while (!pages.isEmpty() && at == pages.element().entries().size()) {
        pages.remove();
        at = 0;
      }
      name = pages.isEmpty() ? null : IndexKeys.nameOf(pages.element().entries().key(at));
    }

    /** The value of the next name. */
    byte[] value() {
      return pages.element().entries().value(at);
    }

    /** That value as text. */
    String text() {
      return pages.element().entries().text(at);
    }

    /** How many bytes of extended attributes are left out of that value. */
    int leftOut() {
      return pages.element().leftOut(at);
    }

    /** Goes on to the next name. */
    void pass() {
      at++;
      show();
    }
  }
}
