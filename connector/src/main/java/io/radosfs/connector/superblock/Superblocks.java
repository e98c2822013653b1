// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.superblock;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * The superblock in one namespace of a pool. It is made once, exclusively, and never changed, so
 * readers may keep it.
 */
public final class Superblocks {

  private static final int ATTEMPTS = 3;

  private final ObjectStore index;
  private final String where;

  /**
   * @param where the file system's URI, for errors
   */
  public Superblocks(ObjectStore index, String where) {
    this.index = index;
    this.where = where;
  }

  /**
   * Returns the superblock; empty if none was made. One read.
   *
   * @throws LayoutException if it is of another version, or damaged
   */
  public Optional<Superblock> find() throws IOException {
    return find(ReadOp.builder());
  }

  private Optional<Superblock> find(ReadOp.Builder op) throws IOException {
    ReadOp whole = op.omapRange("", "", ReadOp.MAX_RANGE).build();
    Optional<ReadResult> found = Reads.find(index, ObjectNames.SUPERBLOCK, whole);
    return found.isPresent()
        ? Optional.of(Superblock.decode(where, found.get().omap(0)))
        : Optional.empty();
  }

  /**
   * Returns the superblock, or makes it with these values. One read, and one write if it is made.
   * Of several clients that try, one makes it, and all return that one.
   *
   * @throws LayoutException also if the pool cannot hold an index
   */
  public Superblock findOrMake(Superblock initial) throws IOException {
    Optional<Superblock> found = find();
    for (int attempt = 1; found.isEmpty(); attempt++) {
      FailedWrite failed;
      try {
        make(initial);
        return initial;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failed = new FailedWrite(e);
      }
      if (!failed.is(Kind.EXISTS) && !failed.mayHaveTakenEffect()) {
        throw failed.failure();
      }
      found = findAfter(failed);
      boolean again = failed.is(Kind.EXISTS) || failed.isWorthRepeating();
      if (found.isEmpty() && (!again || attempt == ATTEMPTS)) {
        throw failed.withoutEffect();
      }
    }
    return found.get();
  }

  /** Looks again after a failed write; if that fails too, throws the failure of the write. */
  private Optional<Superblock> findAfter(FailedWrite failed) throws IOException {
    try {
      return find(ReadOp.builder().afterWrites());
    } catch (IOException e) {
      failed.failure().addSuppressed(e);
      throw failed.failure();
    }
  }

  /**
   * Makes the superblock.
   *
   * @throws LayoutException if there is one already, or the pool cannot hold an index
   */
  public Superblock format(Superblock wanted) throws IOException {
    Optional<Superblock> found = find();
    if (found.isEmpty()) {
      try {
        make(wanted);
        return wanted;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        FailedWrite failed = new FailedWrite(e);
        if (!failed.is(Kind.EXISTS) && !failed.mayHaveTakenEffect()) {
          throw e;
        }
        found = findAfter(failed);
        if (found.isEmpty()) {
          throw failed.withoutEffect();
        }
        if (failed.mayHaveTakenEffect() && found.get().equals(wanted)) {
          return wanted;
        }
      }
    }
    throw new LayoutException(
        where
            + " is formatted already ("
            + found.get().describe(Long::toString)
            + "); its files would be lost. Use another namespace or pool");
  }

  private void make(Superblock initial) throws IOException {
    try {
      index.write(
          ObjectNames.SUPERBLOCK,
          WriteOp.builder().createExclusive().setOmap(initial.encode()).build());
    } catch (StoreException e) {
      if (e.is(Kind.UNSUPPORTED)) {
        throw new LayoutException(
            "pool '"
                + index.pool()
                + "' holds no omap (it is erasure-coded), so it cannot hold the index of "
                + where
                + ". Keep the index in a replicated pool and only the data in this one:"
                + " `radosfs format --data-pool "
                + index.pool()
                + " rados://<replicated pool>`, and use that URI",
            e);
      }
      throw e;
    }
  }
}
