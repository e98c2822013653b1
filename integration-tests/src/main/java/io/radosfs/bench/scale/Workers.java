// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.io.IOException;
import java.util.List;

/** Executors that obey orders, all at the same time. */
@FunctionalInterface
public interface Workers {

  /** Gives each of the first of them an order, and waits for all answers, in the same order. */
  List<WorkerAnswer> obey(List<? extends Order> orders) throws IOException;
}
