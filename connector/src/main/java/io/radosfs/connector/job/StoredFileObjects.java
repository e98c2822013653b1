package io.radosfs.connector.job;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** The objects of files, in the pools of one file system. */
public final class StoredFileObjects implements FileObjects {

  private final DataStores stores;
  private final DataRemover remover;
  private final int objectSize;

  /**
   * @param objectSize bytes in one object of a new file
   */
  public StoredFileObjects(DataStores stores, DataRemover remover, int objectSize) {
    this.stores = stores;
    this.remover = remover;
    this.objectSize = objectSize;
  }

  @Override
  public FileData newFile(FsPath path) {
    return new FileData(path, Uid.random(), true, 0, objectSize, Optional.empty());
  }

  @Override
  public FileData write(FileData file, byte[] content) throws IOException {
    if (content.length > file.objectSize()) {
      throw new IllegalArgumentException(
          content.length + " bytes do not fit one object of " + file.objectSize());
    }
    FileData written = file.withLength(content.length);
    ObjectStore store = stores.of(written);
    if (written.plainFirst() && !create(store, written, content)) {
      written = written.withPlainFirst(false);
    }
    if (!written.plainFirst() && !create(store, written, content)) {
      throw new IOException("object '" + written.stripe(0) + "' lacks the uid in its name");
    }
    return written;
  }

  /** Whether the first stripe is there, made by this or before; false when it is another file's. */
  private static boolean create(ObjectStore store, FileData file, byte[] content)
      throws IOException {
    byte[] uid = file.uid().value().getBytes(StandardCharsets.UTF_8);
    String object = file.stripe(0);
    WriteOp op =
        WriteOp.builder()
            .createExclusive()
            .setXattr(FileData.UID_XATTR, uid)
            .writeFull(ByteBuffer.wrap(content))
            .build();
    try {
      RepeatableOps.repeat(() -> store.write(object, op));
      return true;
    } catch (StoreException e) {
      if (!e.is(Kind.EXISTS)) {
        throw e;
      }
    }
    ReadOp holder = ReadOp.builder().xattr(FileData.UID_XATTR).build();
    try {
      return RepeatableOps.repeating(() -> store.read(object, holder))
          .xattr(0)
          .filter(value -> Arrays.equals(value, uid))
          .isPresent();
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return false; // Another file's, removed just now: the other name will do.
      }
      throw e;
    }
  }

  @Override
  public void remove(Collection<FileData> files) throws IOException {
    remover.removeAll(files);
  }

  @Override
  public void removeUnfinished(FileData begun, int window) throws IOException {
    remover.removeUnfinished(begun, window);
  }
}
