// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OmapEntries;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Reads all keys with given prefixes of one index object, unless a transaction comes in between.
 * Each page is requested when the one before it has arrived, whether or not anybody waits for it.
 * So scans of several objects run side by side while their caller does other work. All pages are
 * held until the end, some hundred bytes a name: entries and intents are held without their
 * extended attributes ({@link ScannedPage}).
 *
 * <p>Cost: one read for all first pages together, one for each further page. For one thread.
 */
public final class IndexScan {

  private static final List<String> FIRST_KEYS =
      Stream.concat(IndexReader.STATE_KEYS.stream(), Stream.of(IndexKeys.OVERWRITE_LOCK)).toList();

  private final IndexObject index;
  private final ObjectStore store;
  private final List<String> prefixes;
  private final Map<String, List<ScannedPage>> pages = new HashMap<>();
  private final CompletableFuture<DirectoryView> first = new CompletableFuture<>();
  private final CompletableFuture<Boolean> whole;
  private DirectoryView view;

  private IndexScan(ObjectStore store, IndexObject index, Collection<String> prefixes) {
    this.store = store;
    this.index = index;
    this.prefixes = List.copyOf(prefixes);
    this.whole = start();
  }

  static IndexScan start(ObjectStore store, IndexObject index, Collection<String> prefixes) {
    return new IndexScan(store, index, prefixes);
  }

  /**
   * The state of the index object when the first pages were read, with its overwrite lock. Waits
   * for them.
   */
  public DirectoryView view() throws IOException {
    try {
      return Await.get(first);
    } catch (StoreException e) {
      if (e.is(StoreException.Kind.NOT_FOUND)) {
        return DirectoryView.missing(index);
      }
      throw e;
    }
  }

  /**
   * Waits for the end. Returns false if the object was changed by a transaction, or removed, and
   * perhaps made anew, between two pages: the scan is then useless. Returns true, with no pages, if
   * there was no such object.
   */
  public boolean isWhole() throws IOException {
    return !view().exists() || Await.get(whole);
  }

  /** The pages of a prefix, once the scan is known to be whole. */
  public List<ScannedPage> pages(String prefix) {
    return pages.getOrDefault(prefix, List.of());
  }

  private CompletableFuture<Boolean> start() {
    ReadOp.Builder op = ReadOp.builder().omapByKeys(FIRST_KEYS);
    prefixes.forEach(prefix -> op.omapRange("", prefix, ReadOp.MAX_RANGE));
    CompletableFuture<ReadResult> answer = Reads.readAsync(store, index.name(), op.build());
    CompletableFuture<Boolean> rest =
        answer.thenCompose(
            result -> {
              view = new DirectoryView(index, true, result.omap(0));
              boolean[] more = new boolean[prefixes.size()];
              for (int i = 0; i < prefixes.size(); i++) {
                add(prefixes.get(i), result.entries(i + 1));
                more[i] = result.more(i + 1);
              }
              first.complete(view);
              return followFrom(0, more);
            });
    // What fails while the first pages are taken, too.
    rest.whenComplete(
        (result, failure) -> {
          if (failure != null) {
            first.completeExceptionally(failure);
          }
        });
    return rest;
  }

  private void add(String prefix, OmapEntries page) {
    pages.computeIfAbsent(prefix, any -> new ArrayList<>()).add(ScannedPage.of(prefix, page));
  }

  /** Reads what follows the first pages, one prefix after another. */
  private CompletableFuture<Boolean> followFrom(int number, boolean[] more) {
    for (int i = number; i < more.length; i++) {
      if (more[i]) {
        int next = i + 1;
        return follow(prefixes.get(i))
            .thenCompose(
                same -> same ? followFrom(next, more) : CompletableFuture.completedFuture(false));
      }
    }
    return CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> follow(String prefix) {
    List<ScannedPage> soFar = pages.get(prefix);
    OmapEntries last = soFar.get(soFar.size() - 1).entries();
    ReadOp op =
        ReadOp.builder()
            .omapByKeys(IndexReader.STATE_KEYS)
            .omapRange(last.key(last.size() - 1), prefix, ReadOp.MAX_RANGE)
            .build();
    return Reads.readAsync(store, index.name(), op)
        .handle(IndexScan::unlessGone)
        .thenCompose(page -> page)
        .thenCompose(
            result -> {
              if (result.isEmpty()
                  || !view.isSameIndex(new DirectoryView(index, true, result.get().omap(0)))) {
                return CompletableFuture.completedFuture(false);
              }
              OmapEntries page = result.get().entries(1);
              if (!page.isEmpty()) {
                add(prefix, page);
              }
              return result.get().more(1)
                  ? follow(prefix)
                  : CompletableFuture.completedFuture(true);
            });
  }

  private static CompletableFuture<Optional<ReadResult>> unlessGone(
      ReadResult result, Throwable failure) {
    if (failure == null) {
      return CompletableFuture.completedFuture(Optional.of(result));
    }
    return Await.failure(failure) instanceof StoreException e && e.is(StoreException.Kind.NOT_FOUND)
        ? CompletableFuture.completedFuture(Optional.empty())
        : CompletableFuture.failedFuture(failure);
  }
}
