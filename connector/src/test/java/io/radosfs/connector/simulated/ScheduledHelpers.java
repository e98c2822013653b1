// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.mount.Helpers;
import io.radosfs.connector.mount.ParallelDirectories;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Helpers of a simulated client, whose steps come in the order that a scheduler chooses. Without
 * one there are none.
 */
public final class ScheduledHelpers implements Helpers {

  private final SimulatedClient client;

  private ScheduledHelpers(SimulatedClient client) {
    this.client = client;
  }

  /** The loop that a mount has, with such helpers. */
  public static DirectoryLoop loop(SimulatedClient client) {
    return new ParallelDirectories(new ScheduledHelpers(client));
  }

  @Override
  public boolean run(Runnable work) {
    return client.fork(work);
  }

  @Override
  public void await(Future<?> work) throws InterruptedException, ExecutionException {
    client.await(work::isDone);
    Object unused = work.get();
  }
}
