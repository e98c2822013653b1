// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the objects of a file whose data is retained those of a new file, without touching their
 * bytes: each stripe gets {@link FileData#OWNER_XATTR}, by an operation guarded with its owner
 * until then. A removal is guarded with the owner too, so a stripe is removed for the old file, or
 * is the new one's: never both, whoever removes, and however late.
 *
 * <p>The first stripe decides between several that take the same data: only who has got it may take
 * the others. Until the others are taken too, each of them may still be removed for its owner.
 *
 * <p>Thread-safe.
 */
public final class StripeTaker {

  private final DataStores stores;
  private final Retries retries;
  private final int parallel;

  /**
   * @param parallel the most operations that a call has under way at a time
   */
  public StripeTaker(DataStores stores, Retries retries, int parallel) {
    this.stores = stores;
    this.retries = retries;
    this.parallel = parallel;
  }

  /**
   * What a look at the first stripe of a file has found.
   *
   * @param there whether it is there and belongs to the file
   * @param failure why that could not be found out
   */
  public record Look(boolean there, Optional<IOException> failure) {}

  /**
   * Looks at the first stripe of each file. One read for each, several at a time. A file whose pool
   * is not in the cluster is not there. One that cannot be looked at does not end the call; but
   * once an answer was waited for in full, the others that are not asked for yet cannot be either.
   */
  public List<Look> look(List<FileData> files) throws InterruptedIOException {
    List<Look> looks = new ArrayList<>();
    Optional<IOException> unanswered = Optional.empty();
    for (int from = 0; from < files.size(); from += parallel) {
      List<Optional<CompletableFuture<ReadResult>>> reads = new ArrayList<>();
      List<FileData> some = files.subList(from, Math.min(files.size(), from + parallel));
      if (unanswered.isPresent()) {
        looks.addAll(Collections.nCopies(some.size(), new Look(false, unanswered)));
        continue;
      }
      for (FileData file : some) {
        reads.add(
            FilesInPools.isGone(stores, file) ? Optional.empty() : Optional.of(readFirst(file)));
      }
      for (int i = 0; i < some.size(); i++) {
        looks.add(
            reads.get(i).isPresent()
                ? look(some.get(i), reads.get(i).get())
                : new Look(false, Optional.empty()));
      }
      unanswered =
          looks.subList(from, looks.size()).stream()
              .flatMap(look -> look.failure().stream())
              .filter(Failures::hasWaitedInFull)
              .findFirst();
    }
    return looks;
  }

  private CompletableFuture<ReadResult> readFirst(FileData file) throws InterruptedIOException {
    try {
      return StripeOwner.readFirst(stores.of(file), file);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Look look(FileData file, CompletableFuture<ReadResult> read)
      throws InterruptedIOException {
    try {
      return new Look(StripeOwner.hasFirst(file, read), Optional.empty());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return new Look(false, Optional.of(e));
    }
  }

  /**
   * Makes the first stripe of one file that of another. One write.
   *
   * @param taken the same data as that of the other file ({@link FileData#restoredAs})
   * @return false if it is not there, or has another owner: nothing was changed
   */
  public boolean takeFirst(FileData from, FileData taken) throws IOException {
    ObjectStore store = stores.of(from);
    WriteOp op =
        StripeOwner.guarded(from, 0)
            .setXattr(FileData.OWNER_XATTR, StripeOwner.value(taken.uid()))
            .build();
    RepeatableOps.Answer answer =
        RepeatableOps.accepted(
            () -> store.write(from.stripe(0), op), Kind.GUARD_FAILED, Kind.NOT_FOUND);
    // Also where no try was open: an OSD may have applied one, and not know that any more when it
    // came once more.
    return answer.isAccepted() || isTaken(taken);
  }

  /**
   * Makes the other stripes the file's too, whoever has them: that one has lost the first. One
   * write for each, several at a time; for one that has an owner already three operations more.
   *
   * @throws FileNotFoundException if one is not there, or the first is another file's by now; the
   *     others may be taken
   */
  public void takeOthers(FileData taken) throws IOException {
    ObjectStore store = stores.of(taken);
    byte[] owner = StripeOwner.value(taken.uid());
    WriteOp op =
        WriteOp.builder()
            .assertExists()
            .absentXattr(FileData.OWNER_XATTR)
            .setXattr(FileData.OWNER_XATTR, owner)
            .build();
    for (int from = 1; from < taken.stripes(); from += parallel) {
      int to = (int) Math.min(taken.stripes(), (long) from + parallel);
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int k = from; k < to; k++) {
        writes.add(store.writeAsync(taken.stripe(k), op));
      }
      List<Integer> refused = new ArrayList<>();
      for (int i = 0; i < writes.size(); i++) {
        if (!isAnswered(writes.get(i))) {
          refused.add(from + i);
        }
      }
      for (int k : refused) {
        retries.until(
            "taking of object " + taken.stripe(k), () -> tryToTake(store, taken, k, owner));
      }
    }
  }

  /** A failure is looked into by {@link #tryToTake}, which meets it again if it lasts. */
  private static boolean isAnswered(CompletableFuture<Void> write) throws IOException {
    try {
      Await.get(write);
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  private boolean tryToTake(ObjectStore store, FileData taken, int k, byte[] owner)
      throws IOException {
    Optional<byte[]> seen = ownerOf(taken, k);
    if (StripeOwner.is(taken.uid(), seen)) {
      return true;
    }
    WriteOp.Builder guarded = WriteOp.builder().assertExists();
    if (seen.isPresent()) {
      requireFirst(taken);
      guarded.compareXattr(FileData.OWNER_XATTR, seen.get());
    } else {
      guarded.absentXattr(FileData.OWNER_XATTR);
    }
    WriteOp op = guarded.setXattr(FileData.OWNER_XATTR, owner).build();
    return RepeatableOps.accepted(
            () -> store.write(taken.stripe(k), op), Kind.GUARD_FAILED, Kind.NOT_FOUND)
        .isAccepted();
  }

  /**
   * Read after the owner of another stripe: if the first is still this file's, nobody has taken it
   * from this file, so that owner had the stripe before.
   */
  private void requireFirst(FileData taken) throws IOException {
    if (!StripeOwner.is(taken.uid(), ownerOf(taken, 0))) {
      throw new FileNotFoundException(
          "object '"
              + taken.stripe(0)
              + "' was taken by another `radosfs restore`, which took this process for dead");
    }
  }

  private boolean isTaken(FileData taken) throws IOException {
    Optional<ReadResult> first = find(taken, 0);
    return first.isPresent() && StripeOwner.is(taken.uid(), first.get().xattr(0));
  }

  private Optional<byte[]> ownerOf(FileData file, int k) throws IOException {
    return find(file, k)
        .orElseThrow(
            () ->
                new FileNotFoundException(
                    "object '" + file.stripe(k) + "' is gone: it was due to be removed"))
        .xattr(0);
  }

  private Optional<ReadResult> find(FileData file, int k) throws IOException {
    ReadOp op = ReadOp.builder().afterWrites().xattr(FileData.OWNER_XATTR).build();
    return Reads.find(stores.of(file), file.stripe(k), op);
  }
}
