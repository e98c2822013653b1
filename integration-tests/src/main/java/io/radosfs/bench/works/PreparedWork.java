// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.util.List;

/**
 * Work that can be done.
 *
 * @param steps one after the other, in a directory that is new each time
 * @param end frees what they needed
 */
public record PreparedWork(List<WorkStep> steps, Runnable end) implements AutoCloseable {

  public PreparedWork {
    steps = List.copyOf(steps);
  }

  PreparedWork(WorkStep... steps) {
    this(List.of(steps), () -> {});
  }

  @Override
  public void close() {
    end.run();
  }
}
