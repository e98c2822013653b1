// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The users of a pool handle at this moment, so that it is destroyed only when there are none.
 *
 * <p>Entering and leaving take no lock until the store is being closed.
 */
final class InFlight {

  private final Set<Object> users = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Returns whether the user may use the handle; if so, it must leave later. */
  boolean enter(Object user) {
    // Enter first, then read the flag: close() sets the flag first, then looks for users.
    users.add(user);
    if (closed) {
      leave(user);
      return false;
    }
    return true;
  }

  void leave(Object user) {
    users.remove(user);
    if (closed) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Whether users should leave as soon as they can. */
  boolean isClosed() {
    return closed;
  }

  /** Lets no more users enter. Returns true for the first call. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Waits until there are no users; returns false if there still are some after that time. */
  synchronized boolean awaitNone(Duration bound) throws InterruptedException {
    long deadline = System.nanoTime() + bound.toNanos();
    while (!users.isEmpty()) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  /** The operations among the users. */
  List<PendingOp<?>> operations() {
    return users.stream()
        .filter(PendingOp.class::isInstance)
        .<PendingOp<?>>map(user -> (PendingOp<?>) user)
        .toList();
  }
}
