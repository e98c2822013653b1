package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Utf8Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Directories as readers see them: with committed transactions as if applied, and others as if they
 * had never begun (I5). Reads only; settles nothing.
 */
public final class VisibleIndex {

  /** A bound on starting again; each time another transaction has come in between. */
  private static final int MAX_READS = 200;

  private final IndexReader reader;
  private final Decisions decisions;

  VisibleIndex(IndexReader reader, Decisions decisions) {
    this.reader = reader;
    this.decisions = decisions;
  }

  /**
   * The entry of one name; empty too when there is no such directory. One read where no transaction
   * holds the name; else one or two more, and one of the deciding directory.
   */
  public Optional<Entry> lookup(FsPath directory, String name) throws IOException {
    List<String> names = List.of(name);
    Resolution resolution = new Resolution(decisions);
    DirectoryView view = reader.names(directory, names);
    for (int i = 0; i < MAX_READS; i++) {
      Set<String> ids = Resolution.transactions(view, names);
      if (resolution.knowsAll(ids)) {
        return resolution.isReadable(view.head())
            ? resolution.visible(view.entry(name), view.claim(name))
            : Optional.empty();
      }
      view = reader.keys(directory, keys(name, ids));
      if (!resolution.ask(view, ids)) {
        view = reader.keys(directory, keys(name, ids));
      }
    }
    throw unsettled(directory);
  }

  private static Collection<String> keys(String name, Set<String> transactions) {
    List<String> keys = new ArrayList<>();
    keys.add(IndexKeys.entry(name));
    keys.add(IndexKeys.claim(name));
    transactions.forEach(id -> keys.add(IndexKeys.transaction(id)));
    return keys;
  }

  /**
   * A directory's children by name, in the order of the names' bytes: the state of one instant,
   * however many pages it takes. Empty where there is no index. ⌈n/1024⌉ reads; a transaction that
   * changes the directory meanwhile makes a listing of several pages start again.
   */
  public SortedMap<String, Entry> list(FsPath directory) throws IOException {
    Set<String> forgotten = new HashSet<>();
    for (int i = 0; i < MAX_READS; i++) {
      Optional<SortedMap<String, Entry>> children = tryToList(directory, forgotten);
      if (children.isPresent()) {
        return children.get();
      }
    }
    throw unsettled(directory);
  }

  private static IOException unsettled(FsPath directory) {
    return new IOException(
        "directory "
            + directory
            + " was changed by transactions "
            + MAX_READS
            + " times while it was read; try again");
  }

  /** Empty when the listing must start again. */
  private Optional<SortedMap<String, Entry>> tryToList(FsPath directory, Set<String> forgotten)
      throws IOException {
    Map<String, DirectoryPage> first =
        reader.pages(
            directory,
            List.of(),
            Map.of(
                IndexKeys.ENTRY_PREFIX, "",
                IndexKeys.CLAIM_PREFIX, "",
                IndexKeys.TRANSACTION_PREFIX, ""));
    SortedMap<String, Entry> children = new TreeMap<>(Utf8Order.INSTANCE);
    DirectoryView view = first.get(IndexKeys.ENTRY_PREFIX).view();
    Optional<IndexHead> head = view.head();
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING)) {
      return Optional.of(children);
    }
    Optional<SortedMap<String, byte[]>> marks =
        all(first.get(IndexKeys.TRANSACTION_PREFIX), IndexKeys.TRANSACTION_PREFIX);
    if (marks.isEmpty()) {
      return Optional.empty();
    }
    Resolution resolution = new Resolution(decisions);
    Set<String> ids = new HashSet<>();
    marks.get().keySet().forEach(key -> ids.add(IndexKeys.transactionOf(key)));
    boolean usable = resolution.ask(new DirectoryView(directory, true, marks.get()), ids);
    if (!usable && !forgotten.containsAll(ids)) {
      forgotten.addAll(ids);
      return Optional.empty();
    }
    if (!resolution.isReadable(head)) {
      return Optional.of(children);
    }
    Optional<SortedMap<String, byte[]>> entries =
        all(first.get(IndexKeys.ENTRY_PREFIX), IndexKeys.ENTRY_PREFIX);
    Optional<SortedMap<String, byte[]>> claims =
        entries.isEmpty()
            ? Optional.empty()
            : all(first.get(IndexKeys.CLAIM_PREFIX), IndexKeys.CLAIM_PREFIX);
    if (claims.isEmpty()) {
      return Optional.empty();
    }
    for (Map.Entry<String, byte[]> stored : entries.get().entrySet()) {
      String name = IndexKeys.nameOf(stored.getKey());
      children.put(name, EntryCodec.decode(directory.child(name), stored.getValue()));
    }
    for (Map.Entry<String, byte[]> stored : claims.get().entrySet()) {
      String name = IndexKeys.nameOf(stored.getKey());
      Claim claim = Claim.decode(directory.child(name), stored.getValue());
      resolution
          .visible(Optional.ofNullable(children.get(name)), Optional.of(claim))
          .ifPresentOrElse(entry -> children.put(name, entry), () -> children.remove(name));
    }
    return Optional.of(children);
  }

  /** A page and all that follow it; empty when a transaction has come in between. */
  private Optional<SortedMap<String, byte[]>> all(DirectoryPage first, String prefix)
      throws IOException {
    if (!first.more()) {
      return Optional.of(first.entries());
    }
    SortedMap<String, byte[]> all = new TreeMap<>(Utf8Order.INSTANCE);
    all.putAll(first.entries());
    DirectoryPage page = first;
    while (page.more()) {
      page = reader.page(first.view().directory(), prefix, page.lastKey());
      if (!sameTransactions(first.view(), page.view())) {
        return Optional.empty();
      }
      all.putAll(page.entries());
    }
    return Optional.of(all);
  }

  /** Whether no transaction has changed the directory between two views of it. */
  static boolean sameTransactions(DirectoryView one, DirectoryView other) {
    return Arrays.equals(
        one.value(IndexKeys.TRANSACTIONS).orElse(null),
        other.value(IndexKeys.TRANSACTIONS).orElse(null));
  }
}
