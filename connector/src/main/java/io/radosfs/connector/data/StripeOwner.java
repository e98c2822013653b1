// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * To which file a stripe belongs: the one that it was written for, or one that was made of its data
 * since ({@link FileData#OWNER_XATTR}).
 */
final class StripeOwner {

  private StripeOwner() {}

  /** Begins an operation on a stripe that is refused if the stripe is not the file's. */
  static WriteOp.Builder guarded(FileData file, int stripe) {
    WriteOp.Builder op = WriteOp.builder();
    if (stripe == 0) {
      op.compareXattr(FileData.UID_XATTR, UidXattr.value(file));
    }
    return file.restoredFrom().isPresent()
        ? op.compareXattr(FileData.OWNER_XATTR, value(file.uid()))
        : op.absentXattr(FileData.OWNER_XATTR);
  }

  /** Reads what {@link #hasFirst} decides by. One read. */
  static CompletableFuture<ReadResult> readFirst(ObjectStore store, FileData file)
      throws IOException {
    ReadOp op =
        ReadOp.builder()
            .compareXattr(FileData.UID_XATTR, UidXattr.value(file))
            .xattr(FileData.OWNER_XATTR)
            .build();
    return Reads.readAsync(store, file.stripe(0), op);
  }

  /** Whether the first stripe is there, and the file's. */
  static boolean hasFirst(FileData file, CompletableFuture<ReadResult> read) throws IOException {
    try {
      return isOf(file, Await.get(read).xattr(1));
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  /** Whether a stripe of the file, whose {@link FileData#OWNER_XATTR} this is, is the file's. */
  static boolean isOf(FileData file, Optional<byte[]> owner) {
    return file.restoredFrom().isPresent() ? is(file.uid(), owner) : owner.isEmpty();
  }

  /** Whether the stripe whose {@link FileData#OWNER_XATTR} this is belongs to that new file. */
  static boolean is(Uid owner, Optional<byte[]> found) {
    return found.filter(uid -> Arrays.equals(value(owner), uid)).isPresent();
  }

  static byte[] value(Uid owner) {
    return owner.value().getBytes(StandardCharsets.UTF_8);
  }
}
