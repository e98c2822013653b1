package io.radosfs.connector.store.simulation;

/**
 * How much an {@link Experiment} tried.
 *
 * @param text in a sentence
 * @param trials the runs that were checked, those without a fault not counted
 * @param complete whether nothing was left out for a bound on the number of runs
 */
public record Report(String text, int trials, boolean complete) {
  @Override
  public String toString() {
    return text;
  }
}
