// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.Optional;

/**
 * What of an {@link Experiment} is to be run, if not all: one seed, or one schedule, as a failure's
 * message gives it. A test run with such a request runs that alone; everything else that it would
 * explore is left out.
 *
 * @param seed of the interleaving to run
 * @param runs how many seeds from there on, to look for more
 * @param schedule the interleaving to run; with a seed, the order for what the seed draws
 * @param kept what is kept of what the seed draws, if not all, in words of whoever draws
 */
public record Replay(
    Optional<Long> seed, int runs, Optional<String> schedule, Optional<String> kept) {

  static final String SEED = "simulation.seed";
  static final String RUNS = "simulation.runs";
  static final String SCHEDULE = "simulation.schedule";
  static final String KEPT = "simulation.kept";

  public Replay(Optional<Long> seed, int runs, Optional<String> schedule) {
    this(seed, runs, schedule, Optional.empty());
  }

  /** Runs everything. */
  public static Replay nothing() {
    return new Replay(Optional.empty(), 1, Optional.empty());
  }

  /** As asked for by {@code -Dsimulation.seed=N [-Dsimulation.runs=N]} or {@code .schedule=S}. */
  public static Replay ofProperties() {
    return new Replay(
        Optional.ofNullable(Long.getLong(SEED)),
        Integer.getInteger(RUNS, 1),
        Optional.ofNullable(System.getProperty(SCHEDULE)),
        Optional.ofNullable(System.getProperty(KEPT)));
  }

  /** Whether anything is to be left out. */
  public boolean isRequested() {
    return seed.isPresent() || schedule.isPresent();
  }

  /** The command that runs one seed of the test that is running now. */
  public static String command(long seed) {
    return commandWith("-D" + SEED + "=" + seed);
  }

  /** The command that runs a seed of the test that is running now in the very order it ran in. */
  public static String command(long seed, String schedule) {
    return commandWith("-D" + SEED + "=" + seed + " -D" + SCHEDULE + "='" + schedule + "'");
  }

  /** The same for a part of what the seed draws. */
  public static String command(long seed, String kept, String schedule) {
    return command(seed, schedule) + " -D" + KEPT + "='" + kept + "'";
  }

  /** The command that runs one schedule of the test that is running now. */
  static String command(String schedule) {
    return commandWith("-D" + SCHEDULE + "='" + schedule + "'");
  }

  private static String commandWith(String property) {
    return "mvn test -pl connector,committer -Dsurefire.failIfNoSpecifiedTests=false -Dtest='"
        + runningTest()
        + "' "
        + property;
  }

  /** Of the form {@code Class#method}: the outermost frame that is a test's. */
  private static String runningTest() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().endsWith("Test"))
                    .filter(frame -> !frame.getMethodName().contains("$"))
                    .reduce((inner, outer) -> outer)
                    .map(
                        frame ->
                            frame
                                    .getClassName()
                                    .substring(frame.getClassName().lastIndexOf('.') + 1)
                                + "#"
                                + frame.getMethodName())
                    .orElse("*"));
  }
}
