// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import java.io.IOException;

/**
 * Something else, of which the answer to a write is lost. The client is held up before it looks
 * what came of it.
 *
 * @param write which one of those that it does; from 1
 * @param fault how the answer is lost
 * @param held for how many turns, unless nobody else can go on
 */
record Unanswered(Step step, int write, Fault fault, int held) implements Step {
  @Override
  public void run(Session session) throws IOException {
    session.struck(fault, OpInfo::write, write, held, step);
  }
}
