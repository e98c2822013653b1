package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Utf8Order;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.PathIOException;

/**
 * Directories as readers see them: with committed transactions as if applied, and others as if they
 * had never begun (I5). Reads only; settles nothing.
 */
public final class VisibleIndex {

  /** A bound on starting again; each time another transaction has come in between. */
  private static final int MAX_READS = 200;

  private final IndexReader reader;
  private final ShardRouter router;
  private final Decisions decisions;

  VisibleIndex(IndexReader reader, ShardRouter router, Decisions decisions) {
    this.reader = reader;
    this.router = router;
    this.decisions = decisions;
  }

  /**
   * The entry of one name; empty too when there is no such directory. One read where no transaction
   * holds the name; else one or two more, and one of the deciding directory. One more where a
   * directory with shards is met first.
   */
  public Optional<Entry> lookup(FsPath directory, String name) throws IOException {
    List<String> names = List.of(name);
    Resolution resolution = new Resolution(decisions);
    DirectoryView view = router.name(directory, name);
    for (int i = 0; i < MAX_READS; i++) {
      Set<String> ids = Resolution.transactions(view, names);
      if (!resolution.knowsAll(ids)) {
        view = reader.keys(view.index(), keys(name, ids));
        if (!resolution.ask(view, ids)) {
          view = reader.keys(view.index(), keys(name, ids));
        }
      } else if (!resolution.isReadable(view.head())) {
        return Optional.empty();
      } else if (!view.isSharded()) {
        return resolution.visible(view.entry(name), view.claim(name));
      }
      if (view.isSharded() || !(view.index().isHead() || ShardRouter.isUsed(view))) {
        view = router.name(directory, name);
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
   * however many pages it takes. Empty where there is no index. ⌈n/1024⌉ reads, and two more for
   * each shard; a transaction that changes the directory meanwhile makes a listing of several pages
   * start again.
   */
  public SortedMap<String, Entry> list(FsPath directory) throws IOException {
    Set<String> forgotten = new HashSet<>();
    for (int i = 0; i < MAX_READS; i++) {
      Optional<Start> start = start(directory, forgotten);
      if (start.isEmpty()) {
        continue;
      }
      Optional<SortedMap<String, Entry>> children = all(start.get());
      if (children.isPresent()) {
        return children.get();
      }
    }
    throw unsettled(directory);
  }

  private static Optional<SortedMap<String, Entry>> all(Start start) throws IOException {
    if (start.shards().isEmpty()) {
      return Optional.of(start.children());
    }
    ShardedListing shards = start.shards().get();
    SortedMap<String, Entry> children = new TreeMap<>(Utf8Order.INSTANCE);
    while (shards.hasNext()) {
      Optional<SortedMap<String, Entry>> some = shards.next();
      if (some.isEmpty()) {
        return Optional.empty();
      }
      children.putAll(some.get());
    }
    return Optional.of(children);
  }

  /**
   * The same, a shard at a time, so that no more is held than one shard has, or what a directory
   * without shards has; in the order of names within a shard. Where a transaction that comes in
   * between concerns nothing that was handed out, the rest is read as it has made it; else it
   * fails.
   */
  public ChildPages pages(FsPath directory) throws IOException {
    Set<String> forgotten = new HashSet<>();
    for (int i = 0; i < MAX_READS; i++) {
      Optional<Start> start = start(directory, forgotten);
      if (start.isEmpty()) {
        continue;
      }
      if (start.get().shards().isEmpty()) {
        return once(start.get().children());
      }
      Optional<ChildPages> pages = shardByShard(directory, start.get().shards().get());
      if (pages.isPresent()) {
        return pages.get();
      }
    }
    throw unsettled(directory);
  }

  private static ChildPages once(SortedMap<String, Entry> children) {
    Deque<SortedMap<String, Entry>> pages = new ArrayDeque<>();
    if (!children.isEmpty()) {
      pages.add(children);
    }
    return () -> Optional.ofNullable(pages.poll());
  }

  /** Empty when the listing must start again, before anything was handed out. */
  private static Optional<ChildPages> shardByShard(FsPath directory, ShardedListing listing)
      throws IOException {
    Deque<SortedMap<String, Entry>> first = new ArrayDeque<>();
    while (first.isEmpty() && listing.hasNext()) {
      Optional<SortedMap<String, Entry>> children = listing.next();
      if (children.isEmpty()) {
        return Optional.empty();
      }
      children.filter(some -> !some.isEmpty()).ifPresent(first::add);
    }
    return Optional.of(
        new ChildPages() {
          private ShardedListing shards = listing;

          @Override
          public Optional<SortedMap<String, Entry>> next() throws IOException {
            if (!first.isEmpty()) {
              return Optional.of(first.remove());
            }
            for (int i = 0; i < MAX_READS && shards.hasNext(); i++) {
              Optional<SortedMap<String, Entry>> children = shards.next();
              if (children.isEmpty()) {
                shards = shards.later().orElseThrow(() -> changedMeanwhile(directory));
              } else if (!children.get().isEmpty()) {
                return children;
              } else {
                i = -1;
              }
            }
            if (shards.hasNext()) {
              throw unsettled(directory);
            }
            return Optional.empty();
          }
        });
  }

  private static PathIOException changedMeanwhile(FsPath directory) {
    return new PathIOException(
        directory.toString(),
        "was changed by a transaction while it was listed, after a part was handed out; list it"
            + " again, or all at once (listStatus), which begins again by itself");
  }

  private static IOException unsettled(FsPath directory) {
    return new IOException(
        "directory "
            + directory
            + " was changed by transactions "
            + MAX_READS
            + " times while it was read; try again");
  }

  /**
   * How a listing starts.
   *
   * @param children all of them, where there are no shards
   * @param shards where the children are
   */
  private record Start(SortedMap<String, Entry> children, Optional<ShardedListing> shards) {}

  /** Empty when the listing must start again. */
  private Optional<Start> start(FsPath directory, Set<String> forgotten) throws IOException {
    Map<String, DirectoryPage> first =
        reader.pages(
            directory,
            List.of(),
            Map.of(
                IndexKeys.ENTRY_PREFIX, "",
                IndexKeys.CLAIM_PREFIX, "",
                IndexKeys.TRANSACTION_PREFIX, ""));
    DirectoryView view = first.get(IndexKeys.ENTRY_PREFIX).view();
    router.saw(view);
    Optional<IndexHead> head = view.head();
    Start none = new Start(new TreeMap<>(), Optional.empty());
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING)) {
      return Optional.of(none);
    }
    Optional<SortedMap<String, byte[]>> marks =
        all(reader, first.get(IndexKeys.TRANSACTION_PREFIX), IndexKeys.TRANSACTION_PREFIX);
    if (marks.isEmpty()) {
      return Optional.empty();
    }
    Resolution resolution = new Resolution(decisions);
    Set<String> ids = new HashSet<>();
    marks.get().keySet().forEach(key -> ids.add(IndexKeys.transactionOf(key)));
    boolean usable = resolution.ask(new DirectoryView(view.index(), true, marks.get()), ids);
    if (!usable && !forgotten.containsAll(ids)) {
      forgotten.addAll(ids);
      return Optional.empty();
    }
    if (!resolution.isReadable(head)) {
      return Optional.of(none);
    }
    if (head.get().isSharded()) {
      ShardedListing shards =
          new ShardedListing(
              directory, head.get().shards(), reader, decisions, resolution, forgotten);
      return shards.begin()
          ? Optional.of(new Start(new TreeMap<>(), Optional.of(shards)))
          : Optional.empty();
    }
    return children(
            reader,
            resolution,
            first.get(IndexKeys.ENTRY_PREFIX),
            first.get(IndexKeys.CLAIM_PREFIX))
        .map(children -> new Start(children, Optional.empty()));
  }

  /** The children in one shard, seen before; empty when a transaction has changed it since. */
  static Optional<SortedMap<String, Entry>> children(
      IndexReader reader, Resolution resolution, DirectoryView seen) throws IOException {
    Map<String, DirectoryPage> first =
        reader.pages(
            seen.index(),
            List.of(),
            Map.of(IndexKeys.ENTRY_PREFIX, "", IndexKeys.CLAIM_PREFIX, ""));
    DirectoryPage entries = first.get(IndexKeys.ENTRY_PREFIX);
    if (!entries.view().exists() || !sameTransactions(seen, entries.view())) {
      return Optional.empty();
    }
    return resolution.isReadable(entries.view().head())
        ? children(reader, resolution, entries, first.get(IndexKeys.CLAIM_PREFIX))
        : Optional.of(new TreeMap<>());
  }

  /** The children in one index object; empty when a transaction has come in between. */
  private static Optional<SortedMap<String, Entry>> children(
      IndexReader reader,
      Resolution resolution,
      DirectoryPage firstEntries,
      DirectoryPage firstClaims)
      throws IOException {
    FsPath directory = firstEntries.view().directory();
    Optional<SortedMap<String, byte[]>> entries = all(reader, firstEntries, IndexKeys.ENTRY_PREFIX);
    Optional<SortedMap<String, byte[]>> claims =
        entries.isEmpty() ? Optional.empty() : all(reader, firstClaims, IndexKeys.CLAIM_PREFIX);
    if (claims.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, Entry> children = new TreeMap<>(Utf8Order.INSTANCE);
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
  static Optional<SortedMap<String, byte[]>> all(
      IndexReader reader, DirectoryPage first, String prefix) throws IOException {
    if (!first.more()) {
      return Optional.of(first.entries());
    }
    SortedMap<String, byte[]> all = new TreeMap<>(Utf8Order.INSTANCE);
    all.putAll(first.entries());
    DirectoryPage page = first;
    while (page.more()) {
      page = reader.page(first.view().index(), prefix, page.lastKey());
      if (!sameTransactions(first.view(), page.view())) {
        return Optional.empty();
      }
      all.putAll(page.entries());
    }
    return Optional.of(all);
  }

  /** Whether no transaction has changed the index object between two views of it. */
  static boolean sameTransactions(DirectoryView one, DirectoryView other) {
    return Arrays.equals(
        one.value(IndexKeys.TRANSACTIONS).orElse(null),
        other.value(IndexKeys.TRANSACTIONS).orElse(null));
  }
}
