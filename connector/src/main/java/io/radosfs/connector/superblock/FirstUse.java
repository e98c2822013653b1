// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.superblock;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.store.OneForAll;
import java.io.IOException;
import java.util.Optional;

/**
 * The superblock that a client works with, which may not be stored yet: reading makes none. Until
 * somebody writes there is nothing to read, so a superblock with the configured values serves. The
 * first write stores it. From then on this costs nothing.
 *
 * <p><b>Several clients.</b> Whoever writes first stores its superblock, by an exclusive create,
 * and the others take that one. It is the first object of the file system. So whoever finds any
 * object of it in the listing finds the superblock too. If the stored one says that data is
 * elsewhere, or in objects of another size, what this client began is refused before it writes
 * anything ({@link #isSuperseded}), and a new mount goes on with the stored one.
 *
 * <p><b>Crashes.</b> The create is one operation, and nothing is written before it. A lost answer
 * is looked up ({@link Superblocks#findOrMake}).
 *
 * <p>Thread-safe.
 */
public final class FirstUse {

  private enum State {
    NOT_STORED,
    STORED,
    SUPERSEDED
  }

  private final Superblocks superblocks;
  private final Vacancy vacancy;
  private final Superblock superblock;
  private final String where;
  private final OneForAll storing = new OneForAll("another thread stores the superblock");
  private volatile State state;

  private FirstUse(
      Superblocks superblocks, Vacancy vacancy, Superblock superblock, String where, State state) {
    this.superblocks = superblocks;
    this.vacancy = vacancy;
    this.superblock = superblock;
    this.where = where;
    this.state = state;
  }

  /**
   * Finds the superblock, or assumes one. One read.
   *
   * @param initial what the first write is to store
   * @param where the file system's URI, for errors
   * @throws LayoutException if there is none, and the pool is another application's
   */
  public static FirstUse find(
      Superblocks superblocks, Vacancy vacancy, Superblock initial, String where)
      throws IOException {
    Optional<Superblock> found = superblocks.find();
    if (found.isEmpty()) {
      vacancy.requireOwnPool();
    }
    return new FirstUse(
        superblocks,
        vacancy,
        found.orElse(initial),
        where,
        found.isPresent() ? State.STORED : State.NOT_STORED);
  }

  /** A superblock that was found or made. */
  public static FirstUse stored(
      Superblocks superblocks, Vacancy vacancy, Superblock found, String where) {
    return new FirstUse(superblocks, vacancy, found, where, State.STORED);
  }

  /** The superblock to work with. */
  public Superblock superblock() {
    return superblock;
  }

  /** Whether the superblock is in the pool, as far as is known here. */
  public boolean isStored() {
    return state != State.NOT_STORED;
  }

  /** Whether a stored superblock was found that says something else. This one is of no use then. */
  public boolean isSuperseded() {
    return state == State.SUPERSEDED;
  }

  /** Looks whether somebody has stored one meanwhile. One read as long as nobody has, then none. */
  public void look() throws IOException {
    if (!isStored()) {
      Optional<Superblock> found = superblocks.find();
      if (found.isPresent()) {
        noteStored(found.get());
      }
    }
  }

  /**
   * Stores the superblock, before anything else is written. The first time a listing of the
   * namespace, a read and a write, later nothing.
   *
   * @throws LayoutException if the namespace holds objects of something else, if the pool cannot
   *     hold an index, or if another superblock was stored meanwhile; nothing was written then
   */
  public void beforeWrite() throws IOException {
    if (state == State.STORED) {
      return;
    }
    storing.run(
        () -> {
          if (state == State.NOT_STORED) {
            noteStored(findOrStore());
          }
        });
    if (state == State.SUPERSEDED) {
      throw new LayoutException(
          where
              + " was formatted by another client while this one began to write, with other values"
              + " than "
              + superblock.describe(Long::toString)
              + ". Nothing was written: begin it anew");
    }
  }

  private Superblock findOrStore() throws IOException {
    Optional<String> object = vacancy.anyObject();
    if (object.isEmpty()) {
      return superblocks.findOrMake(superblock);
    }
    return superblocks.find().orElseThrow(() -> vacancy.occupied(object.get()));
  }

  private synchronized void noteStored(Superblock found) {
    if (state == State.NOT_STORED) {
      boolean same =
          found.dataPool().equals(superblock.dataPool())
              && found.objectSize() == superblock.objectSize();
      state = same ? State.STORED : State.SUPERSEDED;
    }
  }
}
