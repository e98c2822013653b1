// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads index objects as they are stored. Methods that take a directory read its head object. Each
 * call is one RADOS read unless it says otherwise. A read without an answer is repeated.
 */
public final class IndexReader {

  static final List<String> STATE_KEYS =
      List.of(
          IndexKeys.HEAD,
          IndexKeys.CHANGE,
          IndexKeys.TRANSACTIONS,
          IndexKeys.FENCE,
          IndexKeys.LAYOUT);

  private final ObjectStore store;

  public IndexReader(ObjectStore store) {
    this.store = store;
  }

  /** What an administrator can do to the indexes by hand. */
  public RadosCommands commands() {
    return RadosCommands.on(store);
  }

  /**
   * The head, and the entries and intents of these names. For more names than fit a page: one read
   * if all of the index object fits a page, else two.
   */
  public DirectoryView names(IndexObject index, Collection<String> names) throws IOException {
    if (names.size() > ReadOp.MAX_RANGE) {
      Optional<DirectoryView> all = wholeOfSmall(index);
      if (all.isPresent()) {
        return all.get();
      }
    }
    List<String> keys = new ArrayList<>(2 * names.size());
    for (String name : names) {
      keys.add(IndexKeys.entry(name));
      keys.add(IndexKeys.intent(name));
    }
    return keys(index, keys);
  }

  public DirectoryView names(FsPath directory, Collection<String> names) throws IOException {
    return names(IndexObject.head(directory), names);
  }

  public DirectoryView keys(FsPath directory, Collection<String> keys) throws IOException {
    return keys(IndexObject.head(directory), keys);
  }

  /**
   * All entries and intents of a small index object; empty if they are more than a page. This costs
   * an OSD less than a request for very many missing keys.
   */
  private Optional<DirectoryView> wholeOfSmall(IndexObject index) throws IOException {
    Map<String, DirectoryPage> pages =
        pages(index, List.of(), Map.of(IndexKeys.ENTRY_PREFIX, "", IndexKeys.INTENT_PREFIX, ""));
    Map<String, byte[]> values = new HashMap<>();
    boolean exists = false;
    for (DirectoryPage page : pages.values()) {
      if (page.more()) {
        return Optional.empty();
      }
      exists = page.view().exists();
      values.putAll(page.view().values());
      values.putAll(page.entries());
    }
    return Optional.of(new DirectoryView(index, exists, values));
  }

  /** The head, and these keys. */
  public DirectoryView keys(IndexObject index, Collection<String> keys) throws IOException {
    return keys(index, keys, ReadOp.builder());
  }

  /**
   * The same as {@code keys}, but after all writes that this client has sent to the index object,
   * unanswered ones included. A write whose effect is not seen then never takes effect.
   */
  DirectoryView afterWrites(IndexObject index, Collection<String> keys) throws IOException {
    return keys(index, keys, ReadOp.builder().afterWrites());
  }

  private DirectoryView keys(IndexObject index, Collection<String> keys, ReadOp.Builder op)
      throws IOException {
    List<String> all = new ArrayList<>(STATE_KEYS);
    all.addAll(keys);
    Optional<ReadResult> result = Reads.find(store, index.name(), op.omapByKeys(all).build());
    return result.isPresent()
        ? new DirectoryView(index, true, result.get().omap(0))
        : DirectoryView.missing(index);
  }

  /** One page of the keys with a prefix; an empty last page if there is no index. */
  public DirectoryPage page(IndexObject index, String prefix, String startAfter)
      throws IOException {
    return pages(index, List.of(), Map.of(prefix, startAfter)).get(prefix);
  }

  public DirectoryPage page(FsPath directory, String prefix, String startAfter) throws IOException {
    return page(IndexObject.head(directory), prefix, startAfter);
  }

  /**
   * One page for each of several prefixes, all of the same instant.
   *
   * @param keys more keys for the pages' view, besides the head
   * @param startAfter for each prefix, the key after which its page starts; "" for the first page
   */
  public Map<String, DirectoryPage> pages(
      IndexObject index, Collection<String> keys, Map<String, String> startAfter)
      throws IOException {
    List<Range> ranges = new ArrayList<>();
    startAfter.forEach((prefix, after) -> ranges.add(new Range(prefix, after)));
    List<DirectoryPage> read = pages(index, keys, ranges);
    Map<String, DirectoryPage> pages = new HashMap<>();
    for (int i = 0; i < read.size(); i++) {
      pages.put(ranges.get(i).prefix(), read.get(i));
    }
    return pages;
  }

  public Map<String, DirectoryPage> pages(
      FsPath directory, Collection<String> keys, Map<String, String> startAfter)
      throws IOException {
    return pages(IndexObject.head(directory), keys, startAfter);
  }

  /**
   * Pages of the keys with one prefix, one for each start, all of the same instant.
   *
   * @param keys more keys for the pages' view, besides the head
   */
  public List<DirectoryPage> pages(
      IndexObject index, Collection<String> keys, String prefix, List<String> startAfter)
      throws IOException {
    return pages(index, keys, startAfter.stream().map(after -> new Range(prefix, after)).toList());
  }

  /** Where a page starts. */
  private record Range(String prefix, String startAfter) {}

  private List<DirectoryPage> pages(IndexObject index, Collection<String> keys, List<Range> ranges)
      throws IOException {
    List<String> viewKeys = new ArrayList<>(STATE_KEYS);
    viewKeys.addAll(keys);
    ReadOp.Builder op = ReadOp.builder().omapByKeys(viewKeys);
    ranges.forEach(range -> op.omapRange(range.startAfter(), range.prefix(), ReadOp.MAX_RANGE));
    Optional<ReadResult> result = Reads.find(store, index.name(), op.build());
    if (result.isEmpty()) {
      SortedMap<String, byte[]> none = Collections.unmodifiableSortedMap(new TreeMap<>());
      DirectoryPage missing = new DirectoryPage(DirectoryView.missing(index), none, false);
      return Collections.nCopies(ranges.size(), missing);
    }
    DirectoryView view = new DirectoryView(index, true, result.get().omap(0));
    List<DirectoryPage> pages = new ArrayList<>();
    for (int i = 1; i <= ranges.size(); i++) {
      pages.add(new DirectoryPage(view, result.get().omap(i), result.get().more(i)));
    }
    return pages;
  }

  /** Begins to read all keys with these prefixes; see {@link IndexScan}. */
  public IndexScan scan(IndexObject index, Collection<String> prefixes) {
    return IndexScan.start(store, index, prefixes);
  }
}
