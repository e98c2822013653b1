// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.function.BooleanSupplier;

/** Stands before every operation of every client: a scheduler's way in. */
public interface OpGate {

  OpGate OPEN = new OpGate() {};

  /**
   * A thread of a client is about to number an operation: threads that another one has kept waiting
   * go on here in an order of the scheduler's.
   */
  default void entering(String client) {}

  /** The operation goes on when this returns. Called without any lock of the cluster. */
  default void before(OpInfo op) {}

  /**
   * Has a helper thread of a client's program do something beside it; false where there is none.
   */
  default boolean fork(String client, Runnable work) {
    return false;
  }

  /**
   * Waits, in a thread of a client's program, for what another of them brings about.
   *
   * @throws InterruptedException when the client is interrupted, whose flag is cleared
   */
  default void await(String client, BooleanSupplier done) throws InterruptedException {
    throw new IllegalStateException(client + " waits, and has no helpers");
  }

  /**
   * Interrupts the client whose operation it is.
   *
   * @return whether that is the calling thread
   */
  default boolean interrupt(OpInfo op) {
    Thread.currentThread().interrupt();
    return true;
  }

  /** A call has returned to the client's program: whoever helped it is to do nothing any more. */
  default void returned(String client) {}

  /** The operation has taken effect, or failed. */
  default void after(OpInfo op) {}
}
