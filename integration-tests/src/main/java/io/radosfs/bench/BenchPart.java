// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

/** One part of the benchmark. */
@FunctionalInterface
interface BenchPart {

  /**
   * Measures, and removes what was written for that.
   *
   * @param results is told of each work when it is done
   */
  void run(BenchResults results) throws Exception;
}
