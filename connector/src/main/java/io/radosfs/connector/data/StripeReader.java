// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * Reads parts of the stripes of one file. One RADOS operation for each call, and a second one where
 * a copy that is not the primary's does not have what is asked for.
 *
 * <p>Every byte read belongs to the file. The names of its stripes hold its uid. The first stripe
 * alone may have a name that a newer file can take; it is then read with the uid as a guard. So if
 * the file was replaced or removed, a read fails with {@link FileNotFoundException} and never
 * returns bytes of another file. If a stripe is shorter than the file's length says, a read fails
 * with {@link IOException}.
 *
 * <p><b>Copies.</b> Any copy may answer, if so wanted ({@link ReadFrom}). An object of a name that
 * holds the uid is made by one operation and never changed, and the plain name is guarded with the
 * uid in the same read. So a copy that is behind has either all bytes of this file's object or none
 * of them. What it does not have, or cannot read, is read from the primary before it is believed.
 *
 * <p>Thread-safe.
 */
final class StripeReader {

  /**
   * The most bytes that one operation should ask for. A stripe may be larger: an adopted file is
   * one object of any size, and each of its readers would want as much memory, and as much time for
   * one answer.
   */
  static final int MOST = 16 << 20;

  private final ObjectStore store;
  private final FsPath path;
  private final FileData file;
  private final byte[] uid;
  private final ReadFrom from;
  private final InputStatistics statistics;

  /**
   * @param path that the file was opened by, for errors: it may have been renamed since it was
   *     written
   */
  StripeReader(
      ObjectStore store, FsPath path, FileData file, ReadFrom from, InputStatistics statistics) {
    this.path = path;
    this.from = from;
    this.statistics = statistics;
    this.store = store;
    this.file = file;
    this.uid = UidXattr.value(file);
  }

  /**
   * A part of a stripe and its destination.
   *
   * @param position in the file
   * @param into its room is what is read, within one stripe and the file
   */
  record Part(long position, ByteBuffer into) {}

  FsPath path() {
    return path;
  }

  FileData file() {
    return file;
  }

  int stripeOf(long position) {
    return (int) (position / file.objectSize());
  }

  /** The position in the file where the stripe of that position begins. */
  long startOfStripe(long position) {
    return (long) stripeOf(position) * file.objectSize();
  }

  /** The position in the file where the stripe of that position ends. */
  private long endOfStripe(long position) {
    return Math.min(file.length(), (stripeOf(position) + 1L) * file.objectSize());
  }

  /**
   * How many bytes one operation may read from a position on: within its stripe, and {@link #MOST}.
   */
  int most(long position) {
    return (int) Math.min(endOfStripe(position) - position, MOST);
  }

  CompletableFuture<Void> read(long position, ByteBuffer into) {
    return read(List.of(new Part(position, into)));
  }

  /** Reads parts of one stripe in one operation. */
  CompletableFuture<Void> read(List<Part> parts) {
    int stripe = stripeOf(parts.get(0).position());
    String object = file.stripe(stripe);
    ReadOp.Builder op = ReadOp.builder().from(from);
    boolean guarded = stripe == 0 && file.plainFirst();
    if (guarded) {
      op.compareXattr(FileData.UID_XATTR, uid);
    }
    for (Part part : parts) {
      statistics.totalBytes.addAndGet(part.into().remaining());
      op.data(part.position() - (long) stripe * file.objectSize(), part.into());
    }
    int firstData = guarded ? 1 : 0;
    return read(object, op.build(), result -> isWhole(result, parts, firstData))
        .handle(
            (result, thrown) -> {
              if (thrown != null) {
                statistics.exceptions.incrementAndGet();
                throw new CompletionException(explained(thrown));
              }
              checkWhole(result, parts, firstData, object);
              return null;
            });
  }

  /**
   * Reads from the copy that the operation says, and from the primary unless what that has is sound
   * or there was no answer.
   */
  private CompletableFuture<ReadResult> read(
      String object, ReadOp op, Predicate<ReadResult> isSound) {
    CompletableFuture<ReadResult> answer = Reads.readAsync(store, object, op);
    if (op.from() == ReadFrom.PRIMARY) {
      return answer;
    }
    return answer
        .handle(
            (result, thrown) ->
                thrown == null ? isSound.test(result) : isFinal(Await.failure(thrown)))
        .thenCompose(enough -> enough ? answer : Reads.readAsync(store, object, op.fromPrimary()));
  }

  /** Whether the primary need not be asked, as nobody answers this client in time. */
  private static boolean isFinal(IOException failure) {
    return !(failure instanceof StoreException e) || e.is(Kind.BLOCKLISTED) || e.is(Kind.TIMED_OUT);
  }

  private static boolean isWhole(ReadResult result, List<Part> parts, int firstData) {
    for (int i = 0; i < parts.size(); i++) {
      if (result.bytes(firstData + i) != parts.get(i).into().remaining()) {
        return false;
      }
    }
    return true;
  }

  private void checkWhole(ReadResult result, List<Part> parts, int firstData, String object) {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      long count = result.bytes(firstData + i);
      if (count != part.into().remaining()) {
        statistics.exceptions.incrementAndGet();
        throw new CompletionException(
            new IOException(
                String.format(
                    "%s is damaged: object '%s' in pool %s ends %d bytes before byte %d of the"
                        + " file, whose length is %d",
                    path,
                    object,
                    store.pool(),
                    part.into().remaining() - count,
                    part.position() + part.into().remaining(),
                    file.length())));
      }
    }
  }

  private IOException explained(Throwable thrown) {
    IOException failure = Await.failure(thrown);
    if (failure instanceof StoreException e && (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED))) {
      FileNotFoundException gone =
          new FileNotFoundException(
              path + " was replaced or removed while it was read: " + e.getMessage());
      gone.initCause(e);
      return gone;
    }
    return Failures.about(path, failure);
  }
}
