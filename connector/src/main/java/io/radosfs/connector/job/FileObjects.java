// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Writes, reads, checks and removes the RADOS objects of jobs' files. Thread-safe. */
public final class FileObjects {

  /** The xattr of a stripe that holds the instance that wrote it. */
  private static final String WRITER_XATTR = "radosfs.writer";

  /** The same of a stripe that more than one instance has written. */
  private static final byte[] SEVERAL = "several".getBytes(StandardCharsets.UTF_8);

  private final DataStores stores;
  private final DataRemover remover;
  private final int objectSize;
  private final JobLayouts layouts;
  private final FileSearch search;
  private final String instance = Uid.random().value();

  /**
   * @param objectSize bytes in a stripe of a new file unless a layout says otherwise
   */
  public FileObjects(
      DataStores stores,
      DataRemover remover,
      int objectSize,
      JobLayouts layouts,
      FileSearch search) {
    this.stores = stores;
    this.remover = remover;
    this.objectSize = objectSize;
    this.layouts = layouts;
    this.search = search;
  }

  /**
   * Returns the random name of this instance. Operations of one instance on one object keep their
   * order. So an object that it removes stays removed, even if a write was never answered.
   */
  public String instance() {
    return instance;
  }

  /**
   * Returns a new file of a job for this path: with a new uid, and with the object size and data
   * pool that its directory has or will have. Costs what {@link JobLayouts#of} does.
   */
  public FileData newFile(FsPath path, String jobId) throws IOException {
    return layouts.of(jobId, path.parent()).newFile(path, Uid.random(), true, objectSize);
  }

  /** Returns the layout that a file was written with. No RADOS operation. */
  public DataLayout layoutOf(FileData file) {
    return DataLayout.of(file, objectSize);
  }

  /**
   * Writes a file of one stripe. The stripe gets the plain name if the file asks for it and that
   * name is free or already this file's; otherwise the name with the uid. May be repeated, also by
   * another instance, with the same file and content. The stripe says who wrote it, or that several
   * instances did. One operation; one or two more if the name is taken, and one if another instance
   * has written it.
   *
   * @param content if longer than the file's object size, the object size grows to its length
   * @return the file with its length, and the name that the stripe has
   */
  public FileData write(FileData file, byte[] content) throws IOException {
    FileData whole = file.inOneStripe(content.length);
    if (whole.plainFirst() && writeStripe(whole, content)) {
      return whole;
    }
    FileData named = whole.withPlainFirst(false);
    if (writeStripe(named, content)) {
      return named;
    }
    throw new IOException(
        "object "
            + named.stripe(0)
            + " has the uid of this file in its name, but was not written for it");
  }

  /** Returns false if the name is another file's. */
  private boolean writeStripe(FileData file, byte[] content) throws IOException {
    ObjectStore store = stores.of(file);
    byte[] uid = uid(file);
    WriteOp op =
        WriteOp.builder()
            .createExclusive()
            .writeFull(ByteBuffer.wrap(content))
            .setXattr(FileData.UID_XATTR, uid)
            .setXattr(WRITER_XATTR, writer())
            .build();
    try {
      RepeatableOps.repeat(() -> store.write(file.stripe(0), op));
      return true;
    } catch (StoreException e) {
      if (!e.is(Kind.EXISTS)) {
        throw e;
      }
    }
    ReadOp whose =
        ReadOp.builder().afterWrites().xattr(FileData.UID_XATTR).xattr(WRITER_XATTR).build();
    // If the object was removed meanwhile, it was another file's.
    Optional<ReadResult> found = Reads.find(store, file.stripe(0), whose);
    if (!isXattr(found, 0, uid)) {
      return false;
    }
    return isXattr(found, 1, writer()) || isXattr(found, 1, SEVERAL) || share(store, file);
  }

  private static boolean isXattr(Optional<ReadResult> found, int nth, byte[] value) {
    return found
        .flatMap(xattrs -> xattrs.xattr(nth))
        .filter(xattr -> Arrays.equals(value, xattr))
        .isPresent();
  }

  /** Returns false if the object was removed meanwhile. */
  private static boolean share(ObjectStore store, FileData file) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .compareXattr(FileData.UID_XATTR, uid(file))
            .setXattr(WRITER_XATTR, SEVERAL)
            .build();
    return changes(store, file, op);
  }

  /**
   * Removes the stripe of a file, under either name, if this instance alone has written it by
   * {@link #write}. Two operations.
   */
  public void removeOwn(FileData written) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .compareXattr(FileData.UID_XATTR, uid(written))
            .compareXattr(WRITER_XATTR, writer())
            .remove()
            .build();
    for (FileData named : underEitherName(written)) {
      boolean unused = changes(stores.of(named), named, op);
    }
  }

  /**
   * Removes the stripe of a file, under either name, unless the file is in use: visible under any
   * path, or kept after it was replaced. Only for a file that nobody can publish any more. Two
   * reads if there is no stripe; else also a read of the whole index, and a removal.
   *
   * @throws IOException also if it cannot be found out whether the file is in use; nothing is
   *     removed then
   */
  public void removeUnlessInUse(FileData written) throws IOException {
    if (isThere(written) && !search.leadsTo(written.uid())) {
      boolean unused = remover.removeUnfinished(written);
    }
  }

  private boolean isThere(FileData written) throws IOException {
    ReadOp whose = ReadOp.builder().afterWrites().xattr(FileData.UID_XATTR).build();
    for (FileData named : underEitherName(written)) {
      try {
        if (isXattr(Reads.find(stores.of(named), named.stripe(0), whose), 0, uid(written))) {
          return true;
        }
      } catch (NoSuchPoolException e) {
        return false; // and nothing of it is left
      }
    }
    return false;
  }

  private static List<FileData> underEitherName(FileData file) {
    return List.of(file, file.withPlainFirst(!file.plainFirst()));
  }

  /** Returns false if the object is missing, or is not the one that the guards ask for. */
  private static boolean changes(ObjectStore store, FileData file, WriteOp op) throws IOException {
    try {
      RepeatableOps.repeat(() -> store.write(file.stripe(0), op));
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  private byte[] writer() {
    return instance.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] uid(FileData file) {
    return file.uid().value().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Checks that the objects of closed files match their entries: the uid on the first stripe, and
   * the sizes of the first and the last; with {@code content}, the sizes of all stripes and the
   * checksum. One operation for each stripe checked, many at a time.
   *
   * @param content whether to read all stripes
   * @throws org.apache.hadoop.fs.PathIOException naming the first file that differs, and its object
   */
  public void check(Collection<Entry.OfFile> files, boolean content) throws IOException {
    FileChecks.run(stores, files, content);
  }

  /** Reads the content of a file of one stripe. One operation. */
  public byte[] read(FileData file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(file.length(), file.objectSize()));
    ReadOp op = ReadOp.builder().data(0, buffer).build();
    long count = Reads.read(stores.of(file), file.stripe(0), op).bytes(0);
    return Arrays.copyOf(buffer.array(), (int) count);
  }

  /**
   * Removes closed files. May be repeated; never touches a newer file of the same name. One
   * operation for each stripe. If one file fails, the others are still removed.
   */
  public void remove(Collection<FileData> files) throws IOException {
    if (!files.isEmpty()) {
      remover.removeAll(files);
    }
  }

  /**
   * Removes the stripes of a file that was not closed. May be repeated; never touches a newer file
   * of the same name. Before it removes anything, the record notes that something was there, and of
   * a long file, how far that reaches: a write each, see {@link
   * io.radosfs.connector.data.DataRemover#removeUnfinished}.
   *
   * @param open from the record
   * @return whether any of it was there, or may have been
   */
  public boolean removeUnfinished(WorkFile open, JobRecord record) throws IOException {
    FileData begun = open.data();
    return remover.removeUnfinished(
        begun,
        open.window(),
        stripe -> record.ended().note(new SeenStripe(begun.uid(), stripe)),
        record.ended()::noteFound);
  }

  /** The same for a file of one stripe that is in no record. */
  public void removeUnfinished(FileData oneStripe) throws IOException {
    boolean unused = remover.removeUnfinished(oneStripe);
  }
}
