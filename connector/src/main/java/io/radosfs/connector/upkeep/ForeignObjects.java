// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * Looks at the objects of a pool that other programs wrote, and says what an {@link Adoption} can
 * make of them: a file of {@code a/b}, a directory of an empty {@code a/b/}. Only reads.
 *
 * <p>Thread-safe.
 */
public final class ForeignObjects {

  /** Of librados' striper: such an object is a part of something. */
  private static final String STRIPER_XATTR = "striper.layout.object_size";

  private final ObjectStore store;
  private final String indexPool;

  private volatile boolean hasOmaps = true;
  private volatile OtherFileSystems others;
  private final Namespace namespace;
  private final IndexReader reader;
  private final RetainedData retainedData;

  /**
   * @param store the pool of files whose entry names none
   * @param indexPool the pool of the index
   */
  ForeignObjects(
      ObjectStore store,
      String indexPool,
      Namespace namespace,
      IndexReader reader,
      RetainedData retainedData) {
    this.store = store;
    this.indexPool = indexPool;
    this.namespace = namespace;
    this.reader = reader;
    this.retainedData = retainedData;
  }

  /** The path of the file that an object of this name can become; empty if there is none. */
  public static Optional<FsPath> file(String object) {
    return object.isEmpty() || !FsPath.isKey(object)
        ? Optional.empty()
        : Optional.of(FsPath.ofKey(object));
  }

  /** The path of the directory that an object of this name may mark; empty if there is none. */
  public static Optional<FsPath> directory(String object) {
    return object.endsWith("/") ? file(object.substring(0, object.length() - 1)) : Optional.empty();
  }

  /**
   * The names, in their order, of all objects that may become files or directories at a path or
   * below it. Those of directories come before what is in them. First stripes of files are among
   * them. One listing of the pool's namespace; the names are held in memory.
   */
  public SortedSet<String> names(FsPath top) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    store.list(
        name -> {
          FsPath path = file(name).or(() -> directory(name)).orElse(FsPath.ROOT);
          if (!path.isRoot() && path.isAtOrBelow(top)) {
            names.add(name);
          }
        });
    return names;
  }

  /** Whose data an object is. */
  enum DataOf {
    /** It can become one. */
    NO_FILE,
    /** It is the file already that it would become. */
    THE_FILE_THERE,
    /** That has another path, or is being written or removed. */
    ANOTHER_FILE
  }

  /**
   * An object that was looked at.
   *
   * @param uid of its first stripe, by which it is guarded; empty if nobody has given it one
   */
  record Seen(DataOf dataOf, Optional<String> uid, long length) {}

  /**
   * Looks at the object {@code path.key()}, without reading its content. Two reads; one more in a
   * dry run.
   *
   * @param resume go on with an adoption that was ended early; no other may run. Reads the whole
   *     index for such an object
   * @param dryRun markers of directories are still there
   * @return {@link DataOf#NO_FILE} only if it can become a file, and nothing is at the path
   * @throws FileNotFoundException if there is no such object
   * @throws FileAlreadyExistsException if there is something else at the path
   * @throws PathIOException if the object cannot become a file; it says why
   */
  Seen look(FsPath path, boolean resume, boolean dryRun) throws IOException {
    Look look = read(path);
    Optional<Entry> there = isBelowMarker(path, dryRun) ? Optional.empty() : namespace.lookup(path);
    if (look.isFirstStripeOf(there)) {
      return look.of(DataOf.THE_FILE_THERE);
    }
    if (look.uid().isPresent() && !look.isBegun()) {
      return look.of(DataOf.ANOTHER_FILE);
    }
    requireAdoptable(path, look);
    if (look.isBegun()) {
      if (!resume) {
        throw new PathIOException(
            path.toString(),
            "an adoption of object '"
                + path.key()
                + "' was ended early or still runs, or the file was renamed since; if no `radosfs"
                + " adopt` runs: `radosfs adopt --resume`");
      }
      if (isLedTo(path, new Uid(look.uid().get()))) {
        return look.of(DataOf.ANOTHER_FILE);
      }
      requireNoOther(path);
    }
    if (there.isPresent()) {
      throw new FileAlreadyExistsException(
          "object '" + path.key() + "' cannot become " + path + ": there is another one");
    }
    return look.of(DataOf.NO_FILE);
  }

  /**
   * Whether the object {@code path.key() + "/"} is there and marks a directory. One read.
   *
   * @throws PathIOException if it is there and is not empty
   */
  boolean isMarker(FsPath path) throws IOException {
    String marker = ObjectNames.index(path);
    Optional<ReadResult> found = find(marker, FileData.UID_XATTR);
    if (found.isEmpty() || hasOmap(found.get(), 1)) {
      return false;
    }
    if (found.get().bytes(0) > 0 || found.get().xattr(1).isPresent()) {
      throw new PathIOException(
          path.toString(),
          "object '" + marker + "' marks no directory, as it has content, and its name ends in /");
    }
    return true;
  }

  /** In a dry run the marker of a directory is still there, where its index would be looked for. */
  private boolean isBelowMarker(FsPath path, boolean dryRun) throws IOException {
    return dryRun && store.pool().equals(indexPool) && isMarker(path.parent());
  }

  /** What is seen of an object without reading it. */
  private record Look(
      long length,
      Optional<String> uid,
      Optional<String> adopted,
      Optional<String> owner,
      boolean striped,
      boolean omap) {

    /**
     * Whether an adoption has set the uid, which may have come to its end or not. What was made of
     * its data later has another owner.
     */
    boolean isBegun() {
      return uid.isPresent() && uid.equals(adopted) && owner.isEmpty();
    }

    boolean isFirstStripeOf(Optional<Entry> entry) {
      return entry.isPresent()
          && entry.get() instanceof Entry.OfFile file
          && uid.equals(Optional.of(file.data().written().value()));
    }

    Seen of(DataOf dataOf) {
      return new Seen(dataOf, uid, length);
    }
  }

  private Look read(FsPath path) throws IOException {
    ReadResult found =
        find(
                path.key(),
                FileData.UID_XATTR,
                FileData.ADOPTED_XATTR,
                FileData.OWNER_XATTR,
                STRIPER_XATTR)
            .orElseThrow(
                () ->
                    new FileNotFoundException(
                        "there is no object '" + path.key() + "' in pool '" + store.pool() + "'"));
    return new Look(
        found.bytes(0),
        found.xattr(1).map(ForeignObjects::text),
        found.xattr(2).map(ForeignObjects::text),
        found.xattr(3).map(ForeignObjects::text),
        found.xattr(4).isPresent(),
        hasOmap(found, 4));
  }

  /** The size and these attributes, and whether there is an omap, where the pool may have any. */
  private Optional<ReadResult> find(String object, String... xattrs) throws IOException {
    if (hasOmaps) {
      try {
        return Reads.find(store, object, look(xattrs).omapRange("", "", 1).build());
      } catch (StoreException e) {
        if (!e.is(StoreException.Kind.UNSUPPORTED)) {
          throw e;
        }
        hasOmaps = false;
      }
    }
    return Reads.find(store, object, look(xattrs).build());
  }

  private static ReadOp.Builder look(String... xattrs) {
    ReadOp.Builder op = ReadOp.builder().size();
    for (String xattr : xattrs) {
      op.xattr(xattr);
    }
    return op;
  }

  /** The omap comes after the size and so many attributes. */
  private boolean hasOmap(ReadResult found, int xattrs) {
    return hasOmaps && !found.omap(1 + xattrs).isEmpty();
  }

  /**
   * Whether objects of the pool may have omaps, as far as was seen: an erasure-coded one has none.
   */
  boolean hasOmaps() {
    return hasOmaps;
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  private static void requireAdoptable(FsPath path, Look look) throws IOException {
    if (look.length() > Integer.MAX_VALUE) {
      throw refused(path, "has " + look.length() + " bytes; " + Integer.MAX_VALUE + " at most can");
    }
    if (look.striped()) {
      throw refused(path, "is a part of what librados' striper wrote, which is in several");
    }
    if (look.omap()) {
      throw refused(path, "has an omap, as objects of other applications have, such as RBD's");
    }
  }

  private static PathIOException refused(FsPath path, String why) {
    return new PathIOException(
        path.toString(),
        "object '" + path.key() + "' cannot become a file: it " + why + ". Nothing was changed");
  }

  /** The adoption may be another file system's. One listing, the first time. */
  private void requireNoOther(FsPath path) throws IOException {
    OtherFileSystems seen = others;
    if (seen == null) {
      seen = new OtherFileSystems(indexPool, store.pool());
      store.list(seen::see);
      others = seen;
    }
    if (!seen.traces().isEmpty()) {
      throw new PathIOException(
          path.toString(),
          "an adoption of object '"
              + path.key()
              + "' was ended early, and may be another file system's: "
              + seen.describe()
              + ". Nothing was changed. If it is a file in none of them, `"
              + RadosCommands.on(store).line("rmxattr", path.key(), FileData.UID_XATTR)
              + "` makes it an object that no adoption was begun of");
    }
  }

  private boolean isLedTo(FsPath path, Uid uid) throws IOException {
    FencedFiles suspects = new FencedFiles(List.of(uid), List.of(), Failures.END);
    if (!Leads.inIndex(reader, retainedData, suspects)) {
      throw new PathIOException(
          path.toString(),
          "cannot find out whether something leads to object '"
              + path.key()
              + "', as names are being renamed all the while: try again later");
    }
    return suspects.none();
  }
}
