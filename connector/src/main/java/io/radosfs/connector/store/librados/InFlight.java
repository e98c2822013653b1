// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who uses a pool handle at the moment, so that it is destroyed when nobody does.
 *
 * <p>Entering and leaving take no lock until the store is being closed.
 */
final class InFlight {

  private final Set<Object> users = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Whether the user may use the handle; if so, it must leave. */
  boolean enter(Object user) {
    // First in, then a look at the flag: closing sets the flag first and then looks who is in.
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

  /** Lets nobody in any more; true for the first call. */
  synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Waits until nobody is in; false when somebody still is after that time. */
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

  /** The operations that are in now. */
  List<PendingOp<?>> operations() {
    return users.stream()
        .filter(PendingOp.class::isInstance)
        .<PendingOp<?>>map(user -> (PendingOp<?>) user)
        .toList();
  }
}
