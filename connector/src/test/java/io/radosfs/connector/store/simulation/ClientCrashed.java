// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

/**
 * The simulated process has died at this operation. An Error, so that no handler of I/O failures
 * mistakes it for an answer; every later operation of the client throws it again.
 */
public final class ClientCrashed extends Error {

  private static final long serialVersionUID = 1L;

  ClientCrashed(String message) {
    super(message);
  }
}
