package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;

/**
 * Makes directories, and brings their index objects to where names can be added.
 *
 * <p>A directory is there when its parent has an entry for it; an index object that lacks reads as
 * empty. An index is opened only after its maker has seen the entry again, so that a removal, which
 * closes the index before it takes the entry, can never pass unseen in between. A directory takes
 * the layout of its parent; its entry has it until the index is opened, which has it from then on.
 */
public final class OpenIndexes {

  private static final int MAX_TRIES = 200;

  private final IndexReader reader;
  private final IndexWriter writer;
  private final ShardRouter router;
  private final FreeNames freeNames;
  private final Reclaimer reclaimer;
  private final ProcessLedger ledger;

  OpenIndexes(
      IndexReader reader,
      IndexWriter writer,
      ShardRouter router,
      FreeNames freeNames,
      Reclaimer reclaimer,
      ProcessLedger ledger) {
    this.reader = reader;
    this.writer = writer;
    this.router = router;
    this.freeNames = freeNames;
    this.reclaimer = reclaimer;
    this.ledger = ledger;
  }

  /**
   * Makes a directory and those above it that lack.
   *
   * @throws FileAlreadyExistsException when the path is a file
   * @throws ParentNotDirectoryException when one above it is a file
   */
  public void makeDirectories(FsPath directory, Attributes attributes) throws IOException {
    if (!directory.isRoot()) {
      Entry.OfDirectory unused = made(directory, attributes);
    }
  }

  /** The entry of a directory, which is made where it lacks. */
  private Entry.OfDirectory made(FsPath directory, Attributes attributes) throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<Entry.OfDirectory> made = makeDirectory(directory, attributes);
      if (made.isPresent()) {
        return made.get();
      }
    }
    throw contended(directory);
  }

  private static IOException contended(FsPath directory) {
    return new IOException(
        "directory " + directory + " is made and removed by others all the time; try again");
  }

  /** Empty when somebody else was faster and it must be looked at again. */
  private Optional<Entry.OfDirectory> makeDirectory(FsPath directory, Attributes attributes)
      throws IOException {
    FsPath parent = directory.parent();
    String name = directory.name();
    DirectoryView view = freeNames.view(parent, List.of(name), List.of(name));
    Optional<Entry> there = view.entry(name);
    if (there.isPresent() && isReadable(view)) {
      if (there.get() instanceof Entry.OfDirectory found) {
        return Optional.of(found);
      }
      throw new FileAlreadyExistsException(directory + " is a file, not a directory");
    }
    if (!view.isOpen()) {
      open(parent, attributes);
      return Optional.empty();
    }
    // Transactions that make the same directory have chosen its uid already.
    Optional<Entry> claimed = view.claim(name).flatMap(Claim::entry);
    Entry.OfDirectory entry =
        claimed.isPresent()
            ? (Entry.OfDirectory) claimed.get()
            : new Entry.OfDirectory(Uid.random(), attributes, view.layout());
    boolean made =
        writer.applyOrLookAgain(
            IndexChange.of(view)
                .expect(IndexKeys.claim(name), view.value(IndexKeys.claim(name)))
                .expectAbsent(IndexKeys.entry(name))
                .set(IndexKeys.entry(name), EntryCodec.encode(directory, entry))
                .seen(view));
    return made ? Optional.of(entry) : Optional.empty();
  }

  private static boolean isReadable(DirectoryView view) throws IOException {
    return view.head()
        .filter(h -> h.is(IndexHead.State.OPEN) || h.is(IndexHead.State.OPENING))
        .isPresent();
  }

  /**
   * Opens a directory's index, making the directory and those above it where they lack. One read
   * where it is open.
   *
   * @throws ParentNotDirectoryException when it is a file, or one above it is
   */
  public void open(FsPath directory, Attributes attributes) throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      if (tryToOpen(directory, attributes)) {
        return;
      }
    }
    throw contended(directory);
  }

  private boolean tryToOpen(FsPath directory, Attributes attributes) throws IOException {
    DirectoryView view = reader.keys(directory, List.of());
    router.saw(view);
    Optional<IndexHead> head = view.head();
    if (head.isEmpty()) {
      create(directory, attributes);
      return false;
    }
    switch (head.get().state()) {
      case OPEN -> {
        return true;
      }
      case OPENING -> {
        DataLayout layout = require(directory, attributes).layout();
        IndexChange opening = IndexChange.of(view).head(head.get().opened());
        if (view.layout().isDefault() && !layout.isDefault()) {
          opening.set(IndexKeys.LAYOUT, layout.encode());
        }
        return writer.applyOrLookAgain(opening);
      }
      case FROZEN, SPLITTING -> {
        freeNames.view(directory, List.of());
        return false;
      }
      case CLOSING -> {
        reclaimer.finishRemoval(directory, new Uid(head.get().tag()));
        return false;
      }
      case FILLING -> throw new IllegalStateException(directory + " has head " + head);
    }
    throw new IllegalStateException("head " + head);
  }

  private void create(FsPath directory, Attributes attributes) throws IOException {
    if (directory.isRoot()) {
      writer.applyOrLookAgain(IndexChange.creating(directory, IndexHead.OPEN));
      return;
    }
    Entry.OfDirectory unused = require(directory, attributes);
    String key = ledger.beginIndex(directory);
    writer.applyOrLookAgain(IndexChange.creating(directory, IndexHead.opening(key)));
    ledger.settle(key);
  }

  private Entry.OfDirectory require(FsPath directory, Attributes attributes) throws IOException {
    try {
      return made(directory, attributes);
    } catch (FileAlreadyExistsException e) {
      throw (IOException)
          new ParentNotDirectoryException(directory + " is a file, not a directory").initCause(e);
    }
  }
}
