package io.radosfs.connector.store.simulation;

/** Stands before every operation of every client: a scheduler's way in. */
public interface OpGate {

  OpGate OPEN = new OpGate() {};

  /** The operation goes on when this returns. Called without any lock of the cluster. */
  default void before(OpInfo op) {}

  /** The operation has taken effect, or failed. */
  default void after(OpInfo op) {}
}
