// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.apache.hadoop.util.functional.RemoteIterators.mappingRemoteIterator;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.ListingGuard;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.deletion.ListedData;
import io.radosfs.connector.transaction.directory.Making;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.VisibleChild;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.shard.DirectoryGrowth;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.RemoteIterators;

/** The {@link Namespace} of directory indexes in RADOS. */
public final class IndexedNamespace implements Namespace {

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final OpenIndexes openIndexes;
  private final ListedData listedData;
  private final DirectoryGrowth growth;
  private final Retention retention;
  private final BatchLimit limit;
  private final ProcessLedger ledger;
  private final Attributes root;
  private final Deletion deletion;
  private final Renaming renaming;
  private final UnfinishedFiles unfinished = new UnfinishedFiles();
  private final EntryAttributes entryAttributes;
  private final KnownDirectories known;

  /**
   * @param root attributes of the root, which has no entry
   */
  public IndexedNamespace(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      OpenIndexes openIndexes,
      ListedData listedData,
      DirectoryGrowth growth,
      Retention retention,
      BatchLimit limit,
      ProcessLedger ledger,
      Deletion deletion,
      Renaming renaming,
      KnownDirectories known,
      Attributes root) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.openIndexes = openIndexes;
    this.listedData = listedData;
    this.growth = growth;
    this.retention = retention;
    this.limit = limit;
    this.ledger = ledger;
    this.deletion = deletion;
    this.renaming = renaming;
    this.known = known;
    this.root = root;
    this.entryAttributes = new EntryAttributes(indexes, freeNames, unfinished);
  }

  @Override
  public Optional<Entry> lookup(FsPath path) throws IOException {
    return path.isRoot()
        ? Optional.of(new Entry.OfDirectory(new Uid("0".repeat(24)), root))
        : visible.lookup(path.parent(), path.name());
  }

  @Override
  public List<Child> list(FsPath path) throws IOException {
    return list(path, ListingGuard.NONE);
  }

  @Override
  public List<Child> list(FsPath path, ListingGuard guard) throws IOException {
    return children(
        path,
        () ->
            Optional.of(visible.list(path, guard))
                .filter(children -> !children.isEmpty())
                .map(children -> children.stream().map(IndexedNamespace::child).toList()),
        Function.identity());
  }

  @Override
  public RemoteIterator<Child> listing(FsPath path) throws IOException {
    return children(
        path,
        () -> {
          RemoteIterator<VisibleChild> children = visible.children(path);
          return children.hasNext()
              ? Optional.of(mappingRemoteIterator(children, IndexedNamespace::child))
              : Optional.empty();
        },
        RemoteIterators::remoteIteratorFromIterable);
  }

  private static Child child(VisibleChild child) {
    return new Child(child.path(), child.entry());
  }

  /**
   * @param children reads them; empty if there are none
   */
  private <T> T children(
      FsPath path, CallableRaisingIOE<Optional<T>> children, Function<List<Child>, T> of)
      throws IOException {
    Optional<T> some = children.apply();
    return some.isPresent()
        ? some.get()
        : indexes.retries().run("listing of " + path, () -> betweenTwoLooks(path, children, of));
  }

  /**
   * The file at a path where no children were found, or the children: a rename may have brought a
   * directory there since, with all that is in it. It may have gone again before they are read, so
   * only where the same directory is there before and after has it none. (One that comes, goes and
   * comes again between these three is not told apart.) One look-up, one listing, and one look-up
   * more if it is empty. Empty if it must be tried again.
   */
  private <T> Optional<T> betweenTwoLooks(
      FsPath path, CallableRaisingIOE<Optional<T>> children, Function<List<Child>, T> of)
      throws IOException {
    Entry entry =
        lookup(path).orElseThrow(() -> new FileNotFoundException(path + " does not exist"));
    if (entry instanceof Entry.OfFile) {
      return Optional.of(of.apply(List.of(new Child(path, entry))));
    }
    Optional<T> some = children.apply();
    if (some.isPresent()) {
      return some;
    }
    boolean isStillThere = lookup(path).filter(now -> now.uid().equals(entry.uid())).isPresent();
    return isStillThere ? Optional.of(of.apply(List.of())) : Optional.empty();
  }

  @Override
  public void mkdirs(FsPath path, Attributes attributes) throws IOException {
    Optional<Uid> unused = makeDirectory(path, Making.once(attributes));
  }

  @Override
  public Optional<Uid> makeDirectory(FsPath path, Attributes attributes) throws IOException {
    return makeDirectory(path, Making.whileMissing(attributes));
  }

  private Optional<Uid> makeDirectory(FsPath path, Making making) throws IOException {
    Optional<Uid> made = openIndexes.makeDirectories(path, making);
    if (!path.isRoot()) {
      growth.added(path.parent(), 1);
    }
    return made;
  }

  @Override
  public void mkdir(FsPath path, Attributes attributes) throws IOException {
    openIndexes.makeDirectory(path, attributes);
    if (!path.isRoot()) {
      growth.added(path.parent(), 1);
    }
  }

  @Override
  public boolean removeFile(FsPath path, Uid uid) throws IOException {
    return deletion.deleteFile(path, uid);
  }

  @Override
  public boolean removeUnused(FsPath directory, Uid uid, String transaction) throws IOException {
    try {
      return deletion.deleteUnused(directory, uid, transaction);
    } finally {
      known.forgetBelow(directory);
    }
  }

  @Override
  public boolean delete(FsPath path, boolean recursive) throws IOException {
    try {
      return path.isRoot() ? deleteRoot(recursive) : deletion.delete(path, recursive);
    } finally {
      known.forgetBelow(path);
    }
  }

  private boolean deleteRoot(boolean recursive) throws IOException {
    if (recursive) {
      deletion.clearRoot();
    } else if (!visible.list(FsPath.ROOT).isEmpty()) {
      throw new org.apache.hadoop.fs.PathIsNotEmptyDirectoryException("/");
    }
    return true;
  }

  @Override
  public Map<FsPath, IOException> deleteAll(Collection<FsPath> paths) {
    try {
      return BulkDeletion.delete(
          indexes, freeNames, listedData, limit, path -> deletion.delete(path, false), paths);
    } finally {
      known.forgetEach(Set.copyOf(paths));
    }
  }

  @Override
  public void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    try {
      renaming.rename(source, destination, overwrite);
    } finally {
      known.forgetBelow(source);
      known.forgetBelow(destination);
    }
  }

  @Override
  public void setAttributes(FsPath path, AttributeChange change) throws IOException {
    if (path.isRoot()) {
      throw new PathIOException("/", "the attributes of the root cannot be changed");
    }
    entryAttributes.change(path, change);
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
            freeNames,
            openIndexes,
            known,
            path,
            overwrite,
            createParent,
            attributes.withPermission(root.permission()));
    Optional<DirectoryView> recalled = look.recall(indexes.router());
    DirectoryView view = recalled.isPresent() ? recalled.get() : open(look);
    Uid uid = Uid.random();
    IndexPublisher publisher =
        new IndexPublisher(
            indexes,
            listedData,
            growth,
            retention,
            ledger,
            look,
            attributes,
            unfinished,
            uid,
            view,
            recalled.isPresent());
    unfinished.add(publisher);
    boolean nameTaken =
        view.entry(path.name())
            .filter(e -> ((Entry.OfFile) e).data().origin().equals(path))
            .isPresent();
    return new NewFile(uid, nameTaken, publisher, view.layout());
  }

  /** Whoever removes the directory meanwhile takes its layout with it: then it is looked again. */
  private DirectoryView open(CreationLook look) throws IOException {
    return indexes
        .retries()
        .run(
            "creation of " + look.path(),
            () -> {
              DirectoryView view = look.look();
              return view.isOpen() ? Optional.of(view) : Optional.empty();
            });
  }
}
