// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexScan;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.OmapKeyOrder;
import io.radosfs.connector.transaction.ListingGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Gives directories as readers see them: with committed transactions as if applied, and others as
 * if they had never begun (I5). It only reads; it resolves nothing.
 */
public final class VisibleIndex {

  /** The keys that visible children are made of. */
  static final List<String> CHILDREN = List.of(IndexKeys.ENTRY_PREFIX, IndexKeys.INTENT_PREFIX);

  private static final List<String> ALL =
      List.of(IndexKeys.ENTRY_PREFIX, IndexKeys.INTENT_PREFIX, IndexKeys.TRANSACTION_PREFIX);

  private final Indexes indexes;
  private final TransactionStatuses statuses;

  public VisibleIndex(Indexes indexes, TransactionStatuses statuses) {
    this.indexes = indexes;
    this.statuses = statuses;
  }

  /**
   * The entry of one name; empty also if there is no such directory. One read if no transaction
   * holds the name; else one or two more, and one of the coordinator. One more when a directory
   * with shards is met for the first time.
   */
  public Optional<Entry> lookup(FsPath directory, String name) throws IOException {
    return indexes
        .retries()
        .run("look-up of " + name + " in directory " + directory, new LookUp(directory, name));
  }

  /** The entry of a directory; empty if the path is a file or nothing. Cost as {@link #lookup}. */
  public Optional<Entry.OfDirectory> directory(FsPath path) throws IOException {
    return lookup(path.parent(), path.name())
        .filter(Entry.OfDirectory.class::isInstance)
        .map(Entry.OfDirectory.class::cast);
  }

  /** Reads a name until everything is known that its visible state depends on. */
  private final class LookUp implements Retries.Task<Optional<Entry>> {
    private final FsPath directory;
    private final String name;
    private final IntentVisibility visibility = new IntentVisibility(statuses);
    private DirectoryView view;

    private LookUp(FsPath directory, String name) throws IOException {
      this.directory = directory;
      this.name = name;
      this.view = indexes.router().name(directory, name);
    }

    @Override
    public Optional<Optional<Entry>> attempt() throws IOException {
      Set<String> ids = view.transactions(List.of(name));
      if (!visibility.knowsAll(ids)) {
        view = ask(visibility, view.index(), ids, List.of(name));
      } else if (!visibility.isReadable(view.head())) {
        return Optional.of(Optional.empty());
      } else if (!view.isSharded()) {
        return Optional.of(visibility.visible(view.entry(name), view.intent(name)));
      } else {
        requireMark(indexes.reader().keys(view.index(), keys(List.of(name), ids)), ids);
      }
      if (view.isSharded() || !(view.index().isHead() || ShardRouter.isUsed(view))) {
        view = indexes.router().name(directory, name);
      }
      return Optional.empty();
    }
  }

  /**
   * What new files of a directory get; empty if there is no such directory. One read if it has an
   * index; two or three more while a transaction has locked it, and a {@link #lookup} if its index
   * is not open.
   *
   * <p>The entry has the layout until the index is opened; from then on the index has it. A removal
   * closes the index first, and removes the entry later.
   *
   * @throws PathIsNotDirectoryException if it is a file
   */
  public Optional<DataLayout> layout(FsPath directory) throws IOException {
    IntentVisibility visibility = new IntentVisibility(statuses);
    DirectoryView index =
        indexes
            .retries()
            .run(
                "look-up of the layout of directory " + directory,
                () -> decided(indexes.reader().keys(directory, List.of()), visibility));
    Optional<IndexHead> head = index.head();
    boolean isOpen =
        visibility.isReadable(head) && head.filter(h -> h.is(IndexHead.State.OPENING)).isEmpty();
    boolean isLocked = head.filter(h -> h.is(IndexHead.State.FROZEN)).isPresent();
    if (isOpen && !isLocked || directory.isRoot()) {
      return Optional.of(index.layout());
    }
    Optional<Entry> entry = lookup(directory.parent(), directory.name());
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    if (!(entry.get() instanceof Entry.OfDirectory found)) {
      throw new PathIsNotDirectoryException(directory.toString());
    }
    boolean isClosing =
        head.filter(h -> h.is(IndexHead.State.CLOSING))
            .filter(h -> new Uid(h.tag()).equals(found.uid()))
            .isPresent();
    boolean counts = isLocked ? isOpen && wasThere(index) : isOpen || isClosing;
    return Optional.of(counts ? index.layout() : found.layout());
  }

  /**
   * Whether a locked index was there before, and not made by the transaction, perhaps for a
   * directory that was gone by then. If it was, it is the index of whatever directory is there: one
   * whose index is locked cannot be removed or renamed. That the mark names another one proves
   * nothing: the transaction saw that one before it locked.
   */
  private static boolean wasThere(DirectoryView locked) throws IOException {
    String id = locked.head().orElseThrow().tag();
    Optional<byte[]> stored = locked.value(IndexKeys.transaction(id));
    return stored.isEmpty() || !TransactionMark.decode(locked.object(), id, stored.get()).made();
  }

  /**
   * A view of an index that no transaction has locked, or one that is known, with its mark; else
   * empty.
   */
  private Optional<DirectoryView> decided(DirectoryView first, IntentVisibility visibility)
      throws IOException {
    Set<String> ids = first.transactions(List.of());
    DirectoryView view = ids.isEmpty() ? first : ask(visibility, first.index(), ids, List.of());
    return visibility.knowsAll(view.transactions(List.of())) ? Optional.of(view) : Optional.empty();
  }

  /** Asks about transactions that a read depends on; returns a later view of the same. */
  private DirectoryView ask(
      IntentVisibility visibility, IndexObject index, Set<String> ids, List<String> names)
      throws IOException {
    DirectoryView view = indexes.reader().keys(index, keys(names, ids));
    return visibility.ask(view, ids, view.transactions(names))
        ? view
        : indexes.reader().keys(index, keys(names, ids));
  }

  private static Collection<String> keys(List<String> names, Set<String> transactions) {
    List<String> keys = new ArrayList<>();
    for (String name : names) {
      keys.add(IndexKeys.entry(name));
      keys.add(IndexKeys.intent(name));
    }
    transactions.forEach(id -> keys.add(IndexKeys.transaction(id)));
    return keys;
  }

  /**
   * A directory's children, in the order of their names' bytes: the state of one instant, however
   * many pages it takes. Empty if there is no index. ⌈n/1024⌉ reads, and two more for each shard; a
   * transaction that changes the directory meanwhile makes a listing of several pages start again.
   */
  public List<VisibleChild> list(FsPath directory) throws IOException {
    return list(directory, ListingGuard.NONE);
  }

  /**
   * The same, if a guard admits it.
   *
   * @param guard is asked before the children are looked at; what it waits for comes in addition
   */
  public List<VisibleChild> list(FsPath directory, ListingGuard guard) throws IOException {
    Set<String> forgotten = new HashSet<>();
    return indexes
        .retries()
        .run(
            listingOf(directory),
            () -> {
              Optional<Start> start = start(directory, forgotten, guard);
              return start.isEmpty() ? Optional.empty() : all(start.get());
            });
  }

  static String listingOf(FsPath directory) {
    return "listing of directory " + directory;
  }

  private static Optional<List<VisibleChild>> all(Start start) throws IOException {
    List<VisibleChild> children = new ArrayList<>();
    addAll(start.children(), children);
    if (start.shards().isEmpty()) {
      return Optional.of(children);
    }
    ShardedListing shards = start.shards().get();
    while (shards.hasNext()) {
      Optional<ObjectChildren> some = shards.next();
      if (some.isEmpty()) {
        return Optional.empty();
      }
      addAll(some.get(), children);
    }
    children.sort(Comparator.comparing(VisibleChild::name, OmapKeyOrder.INSTANCE));
    return Optional.of(children);
  }

  private static void addAll(ObjectChildren some, List<VisibleChild> children) throws IOException {
    while (some.hasNext()) {
      children.add(some.next());
    }
  }

  /**
   * The same as {@link #list}, but one child after another, held as stored, a few shards at a time,
   * in the order of names within each shard. If a transaction comes in between that concerns
   * nothing that was handed out, the rest is read as that transaction left it; else the iterator
   * throws a {@link org.apache.hadoop.fs.PathIOException}. For one thread.
   */
  public RemoteIterator<VisibleChild> children(FsPath directory) throws IOException {
    Set<String> forgotten = new HashSet<>();
    return indexes
        .retries()
        .run(
            listingOf(directory),
            () -> {
              Optional<Start> start = start(directory, forgotten, ListingGuard.NONE);
              if (start.isPresent() && start.get().shards().isEmpty()) {
                return Optional.of(start.get().children());
              }
              return start.isEmpty()
                  ? Optional.empty()
                  : ShardedChildren.of(directory, start.get().shards().get(), indexes.retries());
            });
  }

  /**
   * The start of a listing.
   *
   * @param children all of them, if there are no shards
   * @param shards which have the children, if there are any
   */
  private record Start(ObjectChildren children, Optional<ShardedListing> shards) {

    static Optional<Start> none() {
      return Optional.of(new Start(ObjectChildren.none(), Optional.empty()));
    }
  }

  /** Empty if the listing must start again. */
  private Optional<Start> start(FsPath directory, Set<String> forgotten, ListingGuard guard)
      throws IOException {
    IndexScan scan = indexes.reader().scan(IndexObject.head(directory), ALL);
    DirectoryView view = scan.view();
    indexes.router().saw(view);
    Optional<IndexHead> head = view.head();
    if (head.isEmpty() || head.get().is(IndexHead.State.CLOSING)) {
      return Start.none();
    }
    if (!scan.isWhole()) {
      return Optional.empty();
    }
    DirectoryView marks = marks(scan);
    IntentVisibility visibility = new IntentVisibility(statuses);
    Set<String> ids = transactions(marks);
    boolean usable = visibility.ask(marks, ids, Set.of());
    if (!usable && !forgotten.containsAll(ids)) {
      forgotten.addAll(ids);
      return Optional.empty();
    }
    if (!visibility.isReadable(head)) {
      return Start.none();
    }
    if (!guard.admits(view)) {
      return Optional.empty();
    }
    if (head.get().isSharded()) {
      ShardedListing shards =
          new ShardedListing(
              directory, head.get().shards(), indexes.reader(), statuses, visibility, forgotten);
      if (!shards.begin()) {
        if (!ids.contains(head.get().tag())) {
          requireMark(view, Set.of(head.get().tag()));
        }
        return Optional.empty();
      }
      return Optional.of(new Start(ObjectChildren.none(), Optional.of(shards)));
    }
    return Optional.of(
        new Start(new ObjectChildren(directory, scan, visibility), Optional.empty()));
  }

  /**
   * Fails if a head object with shards is locked by a transaction that has no mark there: shards
   * that are gone by then will never be readable again.
   *
   * @param now a view of the head object, with the marks of these transactions
   */
  private void requireMark(DirectoryView now, Set<String> ids) throws IOException {
    if (now.isSharded()) {
      for (Unmarked held : Unmarked.of(now, indexes.reader().commands(), ids, List.of())) {
        throw new LayoutException(held.detail());
      }
    }
  }

  /** The marks that a scan has found. */
  static DirectoryView marks(IndexScan scan) throws IOException {
    Map<String, byte[]> marks = new HashMap<>();
    scan.pages(IndexKeys.TRANSACTION_PREFIX).forEach(page -> marks.putAll(page.entries().toMap()));
    return new DirectoryView(scan.view().index(), true, marks);
  }

  /** The ids of the transactions that these marks are of. */
  static Set<String> transactions(DirectoryView marks) {
    return marks.values().keySet().stream()
        .map(IndexKeys::transactionOf)
        .collect(Collectors.toSet());
  }
}
