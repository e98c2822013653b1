package io.radosfs.connector.operations;

import static org.apache.hadoop.util.functional.RemoteIterators.remoteIteratorFromIterable;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.transaction.ChildPages;
import io.radosfs.connector.transaction.Moves;
import io.radosfs.connector.transaction.Removals;
import io.radosfs.connector.transaction.TransactionParts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.RemoteIterator;

/** The {@link Namespace} of directory indexes in RADOS. */
public final class IndexedNamespace implements Namespace {

  private static final int MAX_TRIES = 200;

  private final TransactionParts parts;
  private final ProcessLedger ledger;
  private final Attributes root;
  private final Deletion deletion;
  private final Renaming renaming;
  private final UnfinishedFiles unfinished = new UnfinishedFiles();
  private final KnownDirectories known = new KnownDirectories();

  /**
   * A namespace.
   *
   * @param root attributes of the root, which has no entry
   */
  public IndexedNamespace(TransactionParts parts, ProcessLedger ledger, Attributes root) {
    this.parts = parts;
    this.ledger = ledger;
    this.root = root;
    Moves moves = new Moves(parts, root);
    this.deletion = new Deletion(parts, moves, new Removals(parts, root));
    this.renaming = new Renaming(parts, moves, deletion);
  }

  @Override
  public Optional<Entry> lookup(FsPath path) throws IOException {
    return path.isRoot()
        ? Optional.of(new Entry.OfDirectory(new Uid("0".repeat(24)), root))
        : parts.visible().lookup(path.parent(), path.name());
  }

  @Override
  public List<Child> list(FsPath path) throws IOException {
    SortedMap<String, Entry> children = parts.visible().list(path);
    if (children.isEmpty()) {
      return fileItself(path);
    }
    List<Child> list = new ArrayList<>(children.size());
    for (Map.Entry<String, Entry> child : children.entrySet()) {
      list.add(new Child(path.child(child.getKey()), child.getValue()));
    }
    return list;
  }

  @Override
  public RemoteIterator<Child> listing(FsPath path) throws IOException {
    PagedListing children = new PagedListing(path, parts.visible().pages(path));
    return children.hasNext() ? children : remoteIteratorFromIterable(fileItself(path));
  }

  private List<Child> fileItself(FsPath path) throws IOException {
    Entry entry =
        lookup(path).orElseThrow(() -> new FileNotFoundException(path + " does not exist"));
    return entry instanceof Entry.OfFile ? List.of(new Child(path, entry)) : List.of();
  }

  /** Hands out one page after another. */
  private static final class PagedListing implements RemoteIterator<Child> {
    private final FsPath directory;
    private final ChildPages pages;
    private Iterator<Map.Entry<String, Entry>> page = Collections.emptyIterator();

    PagedListing(FsPath directory, ChildPages pages) {
      this.directory = directory;
      this.pages = pages;
    }

    @Override
    public boolean hasNext() throws IOException {
      if (!page.hasNext()) {
        pages.next().ifPresent(more -> page = more.entrySet().iterator());
      }
      return page.hasNext();
    }

    @Override
    public Child next() throws IOException {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Map.Entry<String, Entry> child = page.next();
      return new Child(directory.child(child.getKey()), child.getValue());
    }
  }

  @Override
  public void mkdirs(FsPath path, Attributes attributes) throws IOException {
    parts.openIndexes().makeDirectories(path, attributes);
    if (!path.isRoot()) {
      parts.growth().added(path.parent(), 1);
    }
  }

  @Override
  public boolean delete(FsPath path, boolean recursive) throws IOException {
    if (!path.isRoot()) {
      return deletion.delete(path, recursive);
    }
    if (recursive) {
      deletion.clearRoot();
    } else if (!parts.visible().list(path).isEmpty()) {
      throw new org.apache.hadoop.fs.PathIsNotEmptyDirectoryException("/");
    }
    return true;
  }

  @Override
  public Map<FsPath, IOException> deleteAll(Collection<FsPath> paths) {
    return BulkDeletion.delete(parts, path -> deletion.delete(path, false), paths);
  }

  @Override
  public void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    renaming.rename(source, destination, overwrite);
  }

  @Override
  public void setAttributes(FsPath path, AttributeChange change) throws IOException {
    String name = path.name();
    boolean beingWritten = unfinished.change(path, change);
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView view = parts.freeNames().view(path.parent(), List.of(name));
      Optional<Entry> found = view.isOpen() ? view.entry(name) : Optional.empty();
      if (found.isEmpty() && beingWritten) {
        return;
      }
      Entry entry = found.orElseThrow(() -> new FileNotFoundException(path + " does not exist"));
      Entry changed = entry.withAttributes(change.of(entry.attributes()));
      if (parts
          .writer()
          .apply(
              IndexChange.of(view)
                  .expectFree(name, view.storedEntry(name))
                  .set(IndexKeys.entry(name), EntryCodec.encode(path, changed)))) {
        return;
      }
    }
    throw new IOException("the attributes of " + path + " keep changing; try again");
  }

  @Override
  public NewFile create(FsPath path, boolean overwrite, boolean createParent, Attributes attributes)
      throws IOException {
    if (path.isRoot()) {
      throw new FileAlreadyExistsException("cannot create /: it is a directory");
    }
    // A directory takes the file's owner, not its mode.
    CreationLook look =
        new CreationLook(
            parts, path, overwrite, createParent, attributes.withPermission(root.permission()));
    Optional<DirectoryView> recalled =
        overwrite
            ? known.recall(parts.router().remembered(path.parent(), path.name()))
            : Optional.empty();
    DirectoryView view = recalled.isPresent() ? recalled.get() : look.look();
    IndexPublisher publisher =
        new IndexPublisher(
            parts,
            ledger,
            look,
            attributes,
            unfinished,
            known,
            view.isOpen() ? Optional.of(view) : Optional.empty(),
            recalled.isPresent());
    unfinished.add(publisher);
    boolean nameTaken =
        view.isOpen()
            && view.entry(path.name())
                .filter(e -> ((Entry.OfFile) e).data().origin().equals(path))
                .isPresent();
    return new NewFile(Uid.random(), nameTaken, publisher, view.layout());
  }
}
