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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Removes the objects of files.
 *
 * <p>Stripes go from the highest to the lowest, and the first stripe last, by an operation that is
 * guarded with the uid: a newer file that took its name is never touched. An object that is not
 * there was removed before. So a removal can be repeated, at any time and by anyone, and one that
 * stopped half-way leaves what a repetition finds. A removal whose answer was lost is repeated, at
 * most {@value RemovalLoop#ATTEMPTS} times in all. A file whose pool is not in the cluster any more
 * counts as removed, as the pool took it along.
 *
 * <p>The calling thread waits; operations are asynchronous, a bounded number of them under way. An
 * interrupt ends the waiting with {@link java.io.InterruptedIOException}.
 *
 * <p>Thread-safe.
 */
public final class DataRemover {

  /** Wider than the gap that any removal under way leaves: than any window, or {@code parallel}. */
  static final int GAP = 1024;

  private static final int PROBES = 128;

  private final DataStores stores;
  private final int parallel;

  /**
   * @param parallel the most operations under way at a time, of one call
   */
  public DataRemover(DataStores stores, int parallel) {
    if (parallel <= 0) {
      throw new IllegalArgumentException("parallel " + parallel);
    }
    this.stores = stores;
    this.parallel = parallel;
  }

  /** Removes a file of known length. Cost: one operation a stripe. */
  public void remove(FileData finished) throws IOException {
    removeAll(List.of(finished));
  }

  /** See {@link #removeAll(Iterator, Consumer)}. */
  public void removeAll(Iterable<FileData> finished) throws IOException {
    removeAll(finished.iterator(), file -> {});
  }

  /**
   * Removes many files of known length. Cost: one operation a stripe. Of more than {@value #GAP}
   * stripes, no more are believed to be there than are found, as a length is easily made up: one
   * read for each {@value #GAP} of them, and that many more where the highest are gone already.
   *
   * <p>A failure does not keep the other files from being removed; the first one is thrown when all
   * have been tried, with some of the others suppressed.
   *
   * @param finished asked for the next file when there is room for it
   * @param removed told, in the calling thread, of each file of which nothing is left
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
          public RemovalLoop.Target next() {
            FileData file = files.next();
            return new RemovalLoop.Target(
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
   * Removes what a writer that is no more left of a file: its length is not known, and its first
   * stripe may have either name.
   *
   * <p>A writer sends stripes in their order, at most {@code window} at a time, so that fewer than
   * that are missing below the highest. Removal goes from the highest down, with no more than that
   * under way below the highest that may still be there, so that a removal that stopped half-way
   * leaves a gap shorter than twice the window, and a run of that many missing stripes is the end.
   *
   * <p>The writer's operations must be over too: the caller has waited longer than the store's
   * bound since it last knew the writer to be alive. A stripe that arrives after the removal may
   * not be found by another one.
   *
   * <p>Cost: a read a stripe and as many as twice the window beyond, a removal a stripe and one
   * more.
   *
   * @param begun as given to {@link FilePublisher#begin}
   * @param window as given to {@link FilePublisher#begin}
   */
  public void removeUnfinished(FileData begun, int window) throws IOException {
    if (FilesInPools.isGone(stores, begun)) {
      return;
    }
    removeUpTo(begun, highest(stores.of(begun), begun, window), window);
  }

  /**
   * Removes an unfinished file whose highest stripe is known, in the way that {@link
   * #removeUnfinished} can take up.
   */
  void removeUpTo(FileData begun, int highest, int window) throws IOException {
    RemovalLoop.Target target =
        new RemovalLoop.Target(begun, stores, any -> highest, window, true, () -> {});
    new RemovalLoop(parallel).run(List.of(target).iterator());
  }

  /**
   * The highest stripe to remove of a file of known length. Its stripes were all there, and go from
   * the highest down, so that what is left has no gap as wide as {@value #GAP}.
   */
  private int highest(ObjectStore store, FileData file) throws IOException {
    int last = file.stripes() - 1;
    if (last <= GAP) {
      return last;
    }
    int highest = 0;
    while (highest < last) {
      int next = (int) Math.min(last, (long) highest + GAP);
      int found = highestOf(store, file, next, next);
      for (int to = next - 1; found == 0 && to > highest; to -= PROBES) {
        found = highestOf(store, file, Math.max(highest + 1, to - PROBES + 1), to);
      }
      if (found == 0) {
        return highest;
      }
      highest = found;
    }
    return highest;
  }

  /** The highest stripe that is there; 0 when there is none but the first, or none. */
  private int highest(ObjectStore store, FileData file, int window) throws IOException {
    int gap = 2 * window;
    int highest = 0;
    int probed = 0;
    while (probed < highest + gap) {
      int from = probed + 1;
      probed = highest + gap;
      highest = Math.max(highest, highestOf(store, file, from, probed));
    }
    return highest;
  }

  private int highestOf(ObjectStore store, FileData file, int from, int to) throws IOException {
    List<CompletableFuture<ReadResult>> probes = new ArrayList<>();
    for (int k = from; k <= to; k++) {
      probes.add(Reads.readAsync(store, file.stripe(k), ReadOp.builder().size().build()));
    }
    int highest = 0;
    IOException failure = null;
    for (int i = 0; i < probes.size(); i++) {
      try {
        Await.get(probes.get(i));
        highest = from + i;
      } catch (StoreException e) {
        if (!e.is(Kind.NOT_FOUND) && failure == null) {
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return highest;
  }
}
