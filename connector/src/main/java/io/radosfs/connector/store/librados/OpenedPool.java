// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.exceptions.RadosException;

/**
 * The pool that a handle was made for. librados finds a pool by its name once, and keeps its
 * number. For a number that its map no longer has it answers every operation ENOENT, as if the
 * object were missing; and a pool that was renamed goes on to be written.
 *
 * <p>Thread-safe.
 */
final class OpenedPool {

  private final ClientMap map;
  private final String name;
  private final long id;
  private volatile boolean gone;

  OpenedPool(ClientMap map, String name, long id) {
    this.map = map;
    this.name = name;
    this.id = id;
  }

  long id() {
    return id;
  }

  /** Whether {@link #isGone} has found so. No cost. */
  boolean isKnownGone() {
    return gone;
  }

  /**
   * Whether this client's map has no pool of this name and number. Numbers do not come again, so it
   * stays so; a pool that gets its name back counts as gone too. No message; some microseconds.
   */
  boolean isGone() {
    if (!gone) {
      gone = !isInMap();
    }
    return gone;
  }

  /** A map that cannot be read tells nothing: ENOENT is then what it says. */
  private boolean isInMap() {
    try {
      return map.hasPool(name, id);
    } catch (RadosException e) {
      return true;
    }
  }
}
