// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

/**
 * How much an {@link Experiment} tried.
 *
 * @param text in a sentence
 * @param trials the runs that were checked, those without a fault not counted
 * @param complete whether nothing was left out for a bound on the number of runs
 * @param leftOut whether something else alone was asked for, see {@link Replay}
 */
public record Report(String text, int trials, boolean complete, boolean leftOut) {

  /**
   * @throws AssertionError where fewer were tried, unless they were left out as something else was
   *     asked for
   */
  public void requireAtLeast(int least) {
    if (trials < least && !leftOut) {
      throw new AssertionError("less than " + least + " trials: " + text);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
