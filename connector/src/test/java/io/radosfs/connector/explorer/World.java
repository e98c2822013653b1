// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** What clients do, and what is done and looked at when they have. */
public interface World {

  /** The world of one scenario, for what its steps are to have in common. */
  default World drawn(SplittableRandom random) {
    return this;
  }

  /** What is there before. */
  List<Step> setUp(SplittableRandom random);

  /** One thing that a client does. */
  Step step(SplittableRandom random);

  /** What another client may do to undo a step, or to make anew what it takes away. */
  Step contrary(Step step, SplittableRandom random);

  /** How clients mount; the same for all of a scenario. */
  Session.Mounting mounting(SplittableRandom random);

  /** Brings to an end what the dead have left, as a person would who knows that they are dead. */
  void recover(SimulatedClient client) throws IOException;

  /**
   * The same long after, and long after the one before.
   *
   * @param round from 1
   */
  void recoverLongAfter(SimulatedClient client, int round) throws IOException;

  /**
   * What must hold of the pool at every instant.
   *
   * @param recovered whether also what the dead have left is brought to an end
   */
  void check(SimulatedCluster cluster, boolean recovered) throws IOException;
}
