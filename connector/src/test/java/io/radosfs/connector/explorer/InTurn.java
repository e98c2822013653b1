// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.io.IOException;
import java.util.List;

/** Several things that one client does, one after another, with no other step of it between. */
record InTurn(List<Step> steps) implements Step {

  InTurn {
    steps = List.copyOf(steps);
  }

  static InTurn of(Step... steps) {
    return new InTurn(List.of(steps));
  }

  @Override
  public void run(Session session) throws IOException {
    for (Step step : steps) {
      step.run(session);
    }
  }

  @Override
  public int writes() {
    return steps.stream().mapToInt(Step::writes).sum();
  }
}
