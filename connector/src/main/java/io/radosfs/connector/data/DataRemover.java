// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Removes the objects of files.
 *
 * <p>Stripes are removed from the highest to the lowest, the first stripe last. The removal of the
 * first stripe is guarded with the uid, so a newer file that took its name is never touched. A
 * missing object counts as removed. So anyone can repeat a removal at any time, and take up one
 * that stopped half-way. A removal whose answer was lost is repeated, at most {@value
 * RemovalLoop#ATTEMPTS} times in all. A file whose pool is no longer in the cluster counts as
 * removed, as its data went with the pool.
 *
 * <p>The calling thread waits. Operations are asynchronous, a bounded number of them under way. An
 * interrupt ends the wait with {@link java.io.InterruptedIOException}.
 *
 * <p>Thread-safe.
 */
public final class DataRemover {

  /** More than the gap that any removal under way leaves: any window, or {@code parallel}. */
  static final int GAP = 1024;

  private static final int PROBES = 128;

  /** Up to this stripe a file that may have gaps of any width is searched. */
  private static final int MOST_SEARCHED = 1 << 20;

  /** Notes how far a file reaches, before its stripes are removed. */
  @FunctionalInterface
  public interface Reach {

    /** Throws if it could not be noted. Then nothing is removed. */
    void note(int stripe) throws IOException;
  }

  /** Notes that something of a file is there, before any of it is removed. */
  @FunctionalInterface
  public interface Find {

    /** Throws if it could not be noted. Then nothing is removed. */
    void note() throws IOException;
  }

  private final DataStores stores;
  private final int parallel;

  /**
   * @param parallel the most operations that a call has under way at a time
   */
  public DataRemover(DataStores stores, int parallel) {
    if (parallel <= 0) {
      throw new IllegalArgumentException("parallel " + parallel);
    }
    this.stores = stores;
    this.parallel = parallel;
  }

  /** Whether the first stripe of a file is there, and the file's. One read. */
  public boolean hasFirst(FileData file) throws IOException {
    return StripeOwner.hasFirst(file, StripeOwner.readFirst(stores.of(file), file));
  }

  /** Removes a file of known length. Cost: one operation for each stripe. */
  public void remove(FileData finished) throws IOException {
    removeAll(List.of(finished));
  }

  /** See {@link #removeAll(Iterator, Consumer)}. */
  public void removeAll(Iterable<FileData> finished) throws IOException {
    removeAll(finished.iterator(), file -> {});
  }

  /**
   * Removes many files of known length. Cost: one operation for each stripe. If a file has more
   * than {@value #GAP} stripes, only those that are found are removed, as anyone can make up a
   * length. That costs one read for each {@value #GAP} stripes, and up to {@value #GAP} more if the
   * highest are gone already; if the first is gone too, or another file's, a read for each stripe.
   *
   * <p>If a file fails, the other files are still removed. The first failure is thrown at the end,
   * with some of the others suppressed.
   *
   * @param finished asked for the next file when there is room for it
   * @param removed called, in the calling thread, with each file of which nothing is left
   */
  public void removeAll(Iterator<FileData> finished, Consumer<FileData> removed)
      throws IOException {
    RemovalLoop loop = new RemovalLoop(parallel);
    Iterator<FileData> files = new FilesInPools(finished, stores, removed);
    loop.run(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return files.hasNext();
          }

          @Override
          public RemovalLoop.FileRemoval next() {
            FileData file = files.next();
            return new RemovalLoop.FileRemoval(
                file,
                stores,
                store -> highest(store, file),
                parallel,
                false,
                () -> removed.accept(file));
          }
        });
  }

  /**
   * Removes what a dead writer left of a file. The file's length is not known, and its first stripe
   * may have either name.
   *
   * <p>A writer sends stripes in order, at most {@code window} at a time, so fewer than that are
   * missing below the highest. Removal goes from the highest down, with at most {@code window}
   * under way below the highest that may be left. So a removal that stopped half-way leaves a gap
   * shorter than twice the window, and a run of that many missing stripes is the end.
   *
   * <p>A stripe may arrive after the removal: the writer is alive, or its operation was under way.
   * It is at most the window above the highest that was there, or other such stripes lead to it. So
   * a later removal finds it if it knows how far the file reached; at the beginning of a file, even
   * if not.
   *
   * <p>Cost: a read for each stripe and for up to twice the window beyond; a removal for each
   * stripe, and one more; where none but the first stripe may be there, two reads more. A later
   * removal reads as much as the first.
   *
   * @param begun as given to {@link FilePublisher#begin}; its length says how far an earlier
   *     removal has seen it reach
   * @param window as given to {@link FilePublisher#begin}
   * @param reach told of the highest stripe, if it is so much higher that a later removal would not
   *     find what arrives above it
   * @param find told if anything is there that is the file's. What another file was made of since
   *     stays, and is nothing to wait for
   * @return whether any of it was there, or may have been
   */
  public boolean removeUnfinished(FileData begun, int window, Reach reach, Find find)
      throws IOException {
    return removeUnfinished(begun, window, reach, Optional.of(find));
  }

  private boolean removeUnfinished(FileData begun, int window, Reach reach, Optional<Find> find)
      throws IOException {
    if (FilesInPools.isGone(stores, begun)) {
      return false;
    }
    ObjectStore store = stores.of(begun);
    int seen = Math.min(begun.stripes() - 1, MOST_SEARCHED);
    Found found = highest(store, begun, seen, window);
    int highest = found.highest();
    if (find.isPresent() && (found.own() || hasFirst(store, begun))) {
      find.get().note();
    }
    if (highest > seen + window) {
      reach.note(highest);
    }
    return removeUpTo(begun, highest, window);
  }

  /** Whether the first stripe is there, by either of its names. */
  private static boolean hasFirst(ObjectStore store, FileData begun) throws IOException {
    FileData plain = begun.withPlainFirst(true);
    FileData byUid = begun.withPlainFirst(false);
    CompletableFuture<ReadResult> ofPlain = StripeOwner.readFirst(store, plain);
    CompletableFuture<ReadResult> ofUid = StripeOwner.readFirst(store, byUid);
    boolean found = StripeOwner.hasFirst(plain, ofPlain);
    return StripeOwner.hasFirst(byUid, ofUid) || found;
  }

  /** The same for a file of one stripe, without a look at it before. */
  public boolean removeUnfinished(FileData oneStripe) throws IOException {
    return removeUnfinished(oneStripe, 1, any -> {}, Optional.empty());
  }

  /**
   * Removes an unfinished file whose highest stripe is known. If it stops half-way, {@link
   * #removeUnfinished} can take it up. Returns whether any of it was there.
   */
  boolean removeUpTo(FileData begun, int highest, int window) throws IOException {
    RemovalLoop.FileRemoval file =
        new RemovalLoop.FileRemoval(begun, stores, any -> highest, window, true, () -> {});
    RemovalLoop loop = new RemovalLoop(parallel);
    loop.run(List.of(file).iterator());
    return loop.hasRemoved();
  }

  /**
   * Returns the highest stripe to remove of a file of known length. All its stripes existed, and
   * are removed from the highest down, the first one last. So the rest has no gap as wide as
   * {@value #GAP} while the first is there. But another file may have been made of some of them,
   * the first before all others, and be removed by now.
   */
  private int highest(ObjectStore store, FileData file) throws IOException {
    int last = file.stripes() - 1;
    if (last <= GAP) {
      return last;
    }
    int highest = 0;
    while (highest < last) {
      int next = (int) Math.min(last, (long) highest + GAP);
      int found = highestOf(store, file, next, next).highest();
      for (int to = next - 1; found == 0 && to > highest; to -= PROBES) {
        found = highestOf(store, file, Math.max(highest + 1, to - PROBES + 1), to).highest();
      }
      if (found == 0) {
        return StripeOwner.hasFirst(file, StripeOwner.readFirst(store, file))
            ? highest
            : highest(store, file, Math.min(last, MOST_SEARCHED), 1).highest();
      }
      highest = found;
    }
    return highest;
  }

  /**
   * Stripes that exist, without the first.
   *
   * @param highest 0 if there is none
   * @param own whether any is the file's, and not another's that was made of its data since
   */
  private record Found(int highest, boolean own) {

    static final Found NONE = new Found(0, false);

    Found and(Found other) {
      return new Found(Math.max(highest, other.highest), own || other.own);
    }
  }

  /**
   * Returns the stripes that exist.
   *
   * @param seen as far as this there may be gaps of any width
   */
  private Found highest(ObjectStore store, FileData file, int seen, int window) throws IOException {
    int gap = 2 * window;
    Found found = Found.NONE;
    int probed = 0;
    int end = seen + gap;
    while (probed < end) {
      int from = probed + 1;
      probed = Math.min(end, probed + GAP);
      found = found.and(highestOf(store, file, from, probed));
      end = Math.max(end, found.highest() + gap);
    }
    return found;
  }

  private Found highestOf(ObjectStore store, FileData file, int from, int to) throws IOException {
    ReadOp op = ReadOp.builder().size().xattr(FileData.OWNER_XATTR).build();
    List<CompletableFuture<ReadResult>> probes = new ArrayList<>();
    for (int k = from; k <= to; k++) {
      probes.add(Reads.readAsync(store, file.stripe(k), op));
    }
    Found found = Found.NONE;
    IOException failure = null;
    for (int i = 0; i < probes.size(); i++) {
      try {
        Optional<byte[]> owner = Await.get(probes.get(i)).xattr(1);
        found = found.and(new Found(from + i, StripeOwner.isOf(file, owner)));
      } catch (StoreException e) {
        if (!e.is(Kind.NOT_FOUND) && failure == null) {
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return found;
  }
}
