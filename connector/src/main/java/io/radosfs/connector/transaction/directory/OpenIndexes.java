// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.directory;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Makes directories, and opens their index objects so that names can be added.
 *
 * <p>A directory is there if its parent has an entry for it; a missing index object reads as empty.
 * An index is opened only after its maker has seen the entry again. A removal closes the index
 * before it removes the entry, so it can never happen unseen in between. A directory takes the
 * layout of its parent. The entry has the layout until the index is opened; then the index has it.
 */
public final class OpenIndexes {

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final ClosingDirectories closingDirectories;
  private final ProcessLedger ledger;

  public OpenIndexes(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      ClosingDirectories closingDirectories,
      ProcessLedger ledger) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.closingDirectories = closingDirectories;
    this.ledger = ledger;
  }

  /**
   * Makes a directory and those above it that are missing, these also where others remove them
   * meanwhile.
   *
   * @param making of the directory itself
   * @return the directory's uid if this call has made it; empty if it was there, or if another
   *     transaction is making it too
   * @throws FileAlreadyExistsException if the path is a file
   * @throws ParentNotDirectoryException if one above it is a file
   * @throws OutcomeUnknownException also if it is missing, is to be made once, and may have been
   *     made
   */
  public Optional<Uid> makeDirectories(FsPath directory, Making making) throws IOException {
    if (directory.isRoot()) {
      return Optional.empty();
    }
    return Optional.of(made(directory, making).uid()).filter(making::isOwn);
  }

  /**
   * Makes a directory in one that exists; does nothing if it is there. The parent is not made again
   * if others remove it meanwhile, nor is the directory.
   *
   * @throws FileNotFoundException if there is no parent
   * @throws FileAlreadyExistsException if the path is a file
   * @throws ParentNotDirectoryException if the parent is a file
   * @throws OutcomeUnknownException also if it is missing, and may have been made
   */
  public void makeDirectory(FsPath directory, Attributes attributes) throws IOException {
    if (!directory.isRoot()) {
      FsPath parent = directory.parent();
      Entry.OfDirectory unused =
          made(directory, Making.once(attributes), () -> openExisting(parent));
    }
  }

  /** The entry of a directory, which is made if it is missing, and those above it too. */
  private Entry.OfDirectory made(FsPath directory, Making making) throws IOException {
    FsPath parent = directory.parent();
    return made(directory, making, () -> open(parent, making.attributes()));
  }

  /**
   * The entry of a directory, which is made if it is missing.
   *
   * @param openParent opens the index of the directory above
   */
  private Entry.OfDirectory made(FsPath directory, Making making, InvocationRaisingIOE openParent)
      throws IOException {
    return indexes
        .retries()
        .run(
            "making of directory " + directory, () -> makeDirectory(directory, making, openParent));
  }

  /** Empty if another client was faster: it must be tried again. */
  private Optional<Entry.OfDirectory> makeDirectory(
      FsPath directory, Making making, InvocationRaisingIOE openParent) throws IOException {
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
      openParent.apply();
      return Optional.empty();
    }
    // Transactions that make the same directory have chosen its uid and its layout already.
    Optional<Entry> intended = view.intent(name).flatMap(WriteIntent::entry);
    Entry.OfDirectory entry =
        intended.isPresent()
            ? (Entry.OfDirectory) intended.get()
            : new Entry.OfDirectory(Uid.random(), making.attributes(), view.layout());
    making.begin(directory, intended.isPresent() ? Optional.empty() : Optional.of(entry.uid()));
    boolean made =
        indexes
            .writer()
            .applyOrLookAgain(
                IndexChange.of(view)
                    .expect(IndexKeys.intent(name), view.value(IndexKeys.intent(name)))
                    .expectAbsent(IndexKeys.entry(name))
                    // The new directory has the layout of this one as of now.
                    .expect(IndexKeys.LAYOUT, view.value(IndexKeys.LAYOUT))
                    .set(IndexKeys.entry(name), EntryCodec.encode(directory, entry))
                    .seen(view));
    if (made) {
      return Optional.of(entry);
    }
    making.notMade();
    return Optional.empty();
  }

  private static boolean isReadable(DirectoryView view) throws IOException {
    return view.head()
        .filter(h -> h.is(IndexHead.State.OPEN) || h.is(IndexHead.State.OPENING))
        .isPresent();
  }

  /**
   * Opens a directory's index; makes the directory and those above it if they are missing, also
   * where others remove them meanwhile. One read if the index is open.
   *
   * @throws ParentNotDirectoryException if it is a file, or one above it is
   */
  public void open(FsPath directory, Attributes attributes) throws IOException {
    open(directory, () -> require(directory, attributes));
  }

  /**
   * Opens the index of a directory that exists. The directory is not made again if others remove it
   * meanwhile. One read if it is open; four reads and three writes, one of them to the ledger, if
   * there is no index. A look-up more if a transaction is making it.
   *
   * @throws FileNotFoundException if there is no such directory
   * @throws ParentNotDirectoryException if it is a file
   */
  public void openExisting(FsPath directory) throws IOException {
    open(directory, () -> existing(directory));
  }

  private void open(FsPath directory, CallableRaisingIOE<Entry.OfDirectory> required)
      throws IOException {
    Opening opening = new Opening(directory, required);
    try {
      indexes.retries().until("opening of directory " + directory, opening::succeeds);
      opening.crossOut();
    } catch (IOException e) {
      opening.takeBack(e);
      throw e;
    } finally {
      opening.leave();
    }
  }

  /** One call's tries to open an index. */
  private final class Opening {

    private final FsPath directory;
    private final CallableRaisingIOE<Entry.OfDirectory> required;
    private final MadeIndexes made;

    /**
     * @param required sees that the directory is there, and returns its entry
     */
    Opening(FsPath directory, CallableRaisingIOE<Entry.OfDirectory> required) {
      this.directory = directory;
      this.required = required;
      this.made = new MadeIndexes(indexes.writer(), ledger, directory);
    }

    /** Returns false if it must be tried again. */
    boolean succeeds() throws IOException {
      DirectoryView view = indexes.reader().keys(directory, List.of());
      indexes.router().saw(view);
      Optional<IndexHead> head = view.head();
      if (head.isEmpty()) {
        create();
        return false;
      }
      switch (head.get().state()) {
        case OPEN -> {
          return true;
        }
        case OPENING -> {
          DataLayout layout = required.apply().layout();
          // It may have been made for an earlier directory of this path, which is gone. But it must
          // be the one that was there when the entry was seen: a transaction can make an index
          // again, with the same head, after a removal that nobody here knows of.
          return indexes
              .writer()
              .applyUnseen(
                  IndexChange.of(view)
                      .expect(IndexKeys.FENCE, view.value(IndexKeys.FENCE))
                      .head(head.get().opened())
                      .layout(view.layout(), layout));
        }
        case FROZEN, SPLITTING -> {
          freeNames.view(directory, List.of());
          return false;
        }
        case CLOSING -> {
          closingDirectories.finish(directory, new Uid(head.get().tag()));
          return false;
        }
        case FILLING -> throw new IllegalStateException(directory + " has head " + head);
      }
      throw new IllegalStateException("head " + head);
    }

    private void create() throws IOException {
      if (directory.isRoot()) {
        indexes.writer().applyUnseen(IndexChange.creating(directory, IndexHead.OPEN));
        return;
      }
      Entry.OfDirectory unused = required.apply();
      indexes.writer().applyUnseen(made.begin());
    }

    /** The index is open, and its entry was seen since. */
    void crossOut() {
      made.crossOut();
    }

    void leave() {
      made.leave();
    }

    void takeBack(IOException failure) {
      if (failure instanceof OutcomeUnknownException unknown && unknown.hasWaitedInFull()) {
        return; // RADOS would not answer this either, and the ledger leads there
      }
      try {
        made.takeBack();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  private Entry.OfDirectory require(FsPath directory, Attributes attributes) throws IOException {
    try {
      return made(directory, Making.whileMissing(attributes));
    } catch (FileAlreadyExistsException e) {
      throw (IOException)
          new ParentNotDirectoryException(directory + " is a file, not a directory").initCause(e);
    }
  }

  private Entry.OfDirectory existing(FsPath directory) throws IOException {
    String name = directory.name();
    DirectoryView view = freeNames.view(directory.parent(), List.of(name), List.of(name));
    Optional<Entry> entry = isReadable(view) ? view.entry(name) : Optional.empty();
    if (entry.isEmpty() && view.intent(name).isPresent()) {
      // One of the transactions that make it may be committed, so that readers see it already.
      entry = visible.lookup(directory.parent(), name);
    }
    if (entry.isEmpty()) {
      throw new FileNotFoundException("there is no directory " + directory);
    }
    if (entry.get() instanceof Entry.OfDirectory found) {
      return found;
    }
    throw new ParentNotDirectoryException(directory + " is a file, not a directory");
  }
}
