// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a plainly created file in the index of its directory: one write, guarded with the entry
 * to be replaced or with the name being free (I2, I3).
 */
final class IndexPublisher implements FilePublisher {

  private static final Logger LOG = LoggerFactory.getLogger(IndexPublisher.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final Indexes indexes;
  private final ListedData listedData;
  private final DirectoryGrowth growth;
  private final Retention retention;
  private final ProcessLedger ledger;
  private final FsPath path;
  private final CreationLook look;
  private final UnfinishedFiles unfinished;
  private final Uid uid;

  /**
   * Held while the file is published: the attributes that it is published with are changed no more.
   */
  private final ReentrantLock publication = new ReentrantLock();

  private Attributes attributes;

  /** Whether the file is being published, or was, or is given up. */
  private volatile boolean ended;

  private Optional<DirectoryView> seen;

  /** Whether nothing was read for this file yet: what was seen was seen for another. */
  private boolean unlooked;

  /** Whether no ledger has the file, so that no collector gives it up. */
  private boolean unrecorded;

  /**
   * Refused tries. One may have been applied all the same, and refused when it came to the OSD once
   * more, which knows no request any more after osd_pg_log_dups_tracked other writes, or after a
   * merge of placement groups.
   */
  private final List<IndexChange> refused = new ArrayList<>();

  /** Whether a refused try may have been applied, and others have given the file another name. */
  private boolean mayBeRenamed;

  /** The fence that was read while the file was certainly this process's; empty for none yet. */
  private Optional<byte[]> trustedFence;

  /**
   * @param seen the directory, with the name unless {@code unlooked}
   * @param unlooked whether the read is left to the publication, which first assumes that the name
   *     is free
   */
  IndexPublisher(
      Indexes indexes,
      ListedData listedData,
      DirectoryGrowth growth,
      Retention retention,
      ProcessLedger ledger,
      CreationLook look,
      Attributes attributes,
      UnfinishedFiles unfinished,
      Uid uid,
      DirectoryView seen,
      boolean unlooked) {
    this.indexes = indexes;
    this.listedData = listedData;
    this.growth = growth;
    this.retention = retention;
    this.ledger = ledger;
    this.path = look.path();
    this.look = look;
    this.attributes = attributes;
    this.unfinished = unfinished;
    this.uid = uid;
    this.seen = Optional.of(seen);
    this.unlooked = unlooked;
    // Read before the file is written down, which fails once the ledger is taken over.
    this.trustedFence = seen.value(IndexKeys.FENCE);
  }

  FsPath path() {
    return path;
  }

  Uid uid() {
    return uid;
  }

  /**
   * Changes the attributes that the file will be published with. Waits for a publication that is
   * under way, as it may have been made by then.
   *
   * @return false if the file is published, or given up
   */
  boolean change(AttributeChange change) throws IOException {
    Await.lock(publication, "another thread publishes " + path);
    try {
      if (!ended) {
        attributes = change.of(attributes);
      }
      return !ended;
    } finally {
      publication.unlock();
    }
  }

  /** Reads now if nothing was read: a long file that cannot be created must fail early. */
  @Override
  public void expectMore() throws IOException {
    if (unlooked) {
      unlooked = false;
      DirectoryView view = look.look();
      seen = Optional.of(view);
      trustedFence = view.value(IndexKeys.FENCE);
    }
  }

  @Override
  public void begin(FileData file, int window) throws IOException {
    ledger.begin(file, window);
  }

  @Override
  public void beginUnrecorded() {
    unrecorded = true;
  }

  @Override
  public void publish(FileData finished, int crc32c) throws IOException {
    publication.lock();
    try {
      ended = true;
      enter(finished, crc32c);
    } finally {
      publication.unlock();
      gaveUp();
    }
  }

  private void enter(FileData finished, int crc32c) throws IOException {
    boolean unused =
        indexes
            .retries()
            .run(
                "publication of " + path,
                () -> {
                  Attributes now = attributes.withModified(System.currentTimeMillis());
                  Entry.OfFile file = new Entry.OfFile(finished, crc32c, now);
                  return tryToEnter(file) ? Optional.of(true) : Optional.empty();
                });
  }

  /** Reads what shows whether a refused try was applied, if there was one. */
  private <T> T looked(CallableRaisingIOE<T> read) throws IOException {
    try {
      return read.apply();
    } catch (InterruptedIOException
        | OutcomeUnknownException
        | FileNotFoundException
        | FileAlreadyExistsException
        | LayoutException
        | ParentNotDirectoryException
        | TransactionConflictException e) {
      throw e; // an answer, as to any other look
    } catch (IOException e) {
      if (refused.isEmpty()) {
        throw e;
      }
      throw new OutcomeUnknownException(
          "publication of "
              + path
              + " was refused, and whether it had taken effect before could not be read from the"
              + " index of "
              + path.parent()
              + ": look at it before writing the file again",
          e);
    }
  }

  /** Returns false if the directory or the name was changed since it was read. */
  private boolean tryToEnter(Entry.OfFile file) throws IOException {
    DirectoryView view = looked(this::nextView);
    Optional<byte[]> fence = view.value(IndexKeys.FENCE);
    mayBeRenamed = !refused.stream().allMatch(change -> change.noTransactionSince(view));
    if (wasEntered(view, file.data(), fence)) {
      // What it has replaced stays listed there, for the next change.
      ledger.crossOut(file.data().uid());
      look.drop(view);
      return true;
    }
    Optional<Entry> replaced = requireWritable(view);
    requireOwned(file.data(), fence);
    IndexChange change =
        IndexChange.of(view)
            .expectFree(path.name(), view.storedEntry(path.name()))
            .expect(IndexKeys.FENCE, fence)
            // Not for this file's sake: a process that remembers an older layout must read again.
            .expect(IndexKeys.LAYOUT, view.value(IndexKeys.LAYOUT))
            .set(IndexKeys.entry(path.name()), EntryCodec.encode(path, file))
            .seen(view);
    Optional<DeferredDeletion.OfFile> deferred =
        replaced.map(old -> retention.replaced((Entry.OfFile) old));
    deferred.ifPresent(change::defer);
    if (!indexes.writer().apply(change)) {
      look.drop(view);
      refused.add(change);
      return false;
    }
    ledger.crossOut(file.data().uid());
    remember(view, replaced, change);
    deferred.ifPresent(old -> deleteQuietly(change, old));
    if (replaced.isEmpty()) {
      growth.added(path.parent(), 1);
    }
    return true;
  }

  /**
   * Whether a refused try was applied: the entry is there, or others have taken it away since, and
   * the data with it. To enter it again would show a file without data, in place of theirs.
   */
  private boolean wasEntered(DirectoryView view, FileData file, Optional<byte[]> fence)
      throws IOException {
    Optional<Entry> there = view.entry(path.name());
    if (there.filter(entry -> entry.uid().equals(uid)).isPresent()) {
      return true;
    }
    if (!refused.isEmpty() && refused.get(refused.size() - 1).isAsSeen(view)) {
      refused.remove(refused.size() - 1); // for what was there before it
    }
    if (refused.isEmpty() || file.length() == 0 || !view.isOpen()) {
      return false;
    }
    requireOwned(file, fence);
    if (looked(() -> listedData.has(view.index(), file))) {
      return true;
    }
    boolean gone = looked(() -> listedData.isGone(file));
    if (gone && !unrecorded) {
      // A collector that has given the file up has removed the data, too: since the fence was read.
      ledger.requireOwned(uid);
    }
    return gone;
  }

  /**
   * A refused try may have been applied, and the directory be at another path by now. Not where
   * something is known that has refused it: another file at the path, an index that cannot be read,
   * or a collector, which has ended the ledger, so that nothing else would lead to what it has not
   * found. Another file tells nothing if there were renames in the directory since: this one may
   * have been published, and have another name.
   */
  @Override
  public boolean mayBePublished(IOException failure) {
    boolean known =
        failure instanceof FileAlreadyExistsException && !mayBeRenamed
            || failure instanceof LayoutException
            || failure instanceof LedgerTakenOverException;
    return !refused.isEmpty() && !known || FilePublisher.super.mayBePublished(failure);
  }

  /** Files that replace others are often followed by more of them, which should read first. */
  private void remember(DirectoryView view, Optional<Entry> replaced, IndexChange change)
      throws IOException {
    if (replaced.isEmpty()) {
      look.remember(view, change.token().value().getBytes(StandardCharsets.UTF_8));
    } else {
      look.drop(view);
    }
  }

  /** The first try uses what the creation saw: a change since then fails its guards. */
  private DirectoryView nextView() throws IOException {
    if (seen.isPresent()) {
      DirectoryView view = seen.get();
      seen = Optional.empty();
      return view;
    }
    if (unlooked) {
      // As if created now: the directory too is made, if it was removed before the creation.
      unlooked = false;
      return look.look();
    }
    return look.view();
  }

  /**
   * If the fence has changed, a collector may have given the file up. So this asks the ledger,
   * after the read of the fence that the publication is guarded with.
   */
  private void requireOwned(FileData finished, Optional<byte[]> fence) throws IOException {
    boolean trusted =
        fence.isPresent()
            && trustedFence.isPresent()
            && Arrays.equals(fence.get(), trustedFence.get());
    if (!trusted && !unrecorded) {
      ledger.requireOwned(finished.uid());
      trustedFence = fence;
    }
  }

  private Optional<Entry> requireWritable(DirectoryView view) throws IOException {
    if (!view.isOpen()) {
      throw new FileNotFoundException(
          "cannot create " + path + ": its directory was removed while it was written");
    }
    return look.require(view);
  }

  /** Deletes the replaced data; what fails now stays listed in the directory. */
  private void deleteQuietly(IndexChange made, DeferredDeletion.OfFile replaced) {
    FOLLOW_UP.quietly(
        "the data that " + path + " replaced is still there",
        "it is removed by the next change there, or radosfs gc",
        () -> listedData.delete(made, replaced));
  }

  @Override
  public void abandon(FileData removed) {
    ledger.crossOut(removed.uid());
  }

  @Override
  public void gaveUp() {
    ended = true;
    ledger.leave(uid);
    look.end();
    unfinished.remove(this);
  }
}
