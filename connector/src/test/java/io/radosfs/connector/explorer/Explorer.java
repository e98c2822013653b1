// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.store.simulation.Chooser;
import io.radosfs.connector.store.simulation.Replay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Runs what seeds draw, until one fails; that one is made as small as it can be. */
public final class Explorer {

  /** Orders that a smaller scenario is tried in until it fails. */
  private static final int ORDERS = 25;

  private static final int KIND = 12;

  /** Of so many runs that are judged, one may be given up for which nothing is found. */
  private static final int DECIDED = 100;

  private final String name;
  private final World world;

  public Explorer(String name, World world) {
    this.name = name;
    this.world = world;
  }

  /**
   * Runs so many seeds from one on, or the ones that {@link Replay#ofProperties} asks for, and
   * tells how much that was.
   *
   * @throws AssertionError at the first that fails, where something that can go wrong never did, or
   *     where too many were not decided
   */
  public void explore(long seed, int runs) {
    Replay replay = Replay.ofProperties();
    Tally met = explore(seed, runs, replay);
    Set<String> never = met.neverStruck(Scenario.kinds());
    if (!replay.isRequested() && !never.isEmpty()) {
      throw new AssertionError(name + ": never met, though it can go wrong: " + never);
    }
  }

  /** Answers what was met. */
  Tally explore(long seed, int runs, Replay replay) {
    long first = replay.seed().orElse(seed);
    long count = replay.seed().isPresent() ? replay.runs() : runs;
    Tally met = new Tally();
    Set<Integer> states = new HashSet<>();
    long operations = 0;
    int judged = 0;
    int undecided = 0;
    for (long s = first; s < first + count; s++) {
      Scenario whole = Scenario.draw(world, s);
      Scenario scenario = replay.kept().map(kept -> Kept.parse(kept).of(whole)).orElse(whole);
      Run run =
          replay
              .schedule()
              .map(order -> Run.of(world, scenario, Chooser.replay(order)))
              .orElseGet(() -> Run.of(world, scenario));
      states.addAll(run.states());
      met.add(run.tally());
      operations += run.operations();
      judged += run.isJudged() ? 1 : 0;
      undecided += run.isUndecided() ? 1 : 0;
      if (run.failure().isPresent()) {
        throw failure(s, s - first + 1, run, whole, scenario);
      }
    }
    System.out.printf(
        "explored %d runs of %s (seeds %d to %d), %d operations, %d distinct states, %d decided, %d"
            + " undecided; %s%n",
        count,
        name,
        first,
        first + count - 1,
        operations,
        states.size(),
        judged - undecided,
        undecided,
        met);
    if (undecided * DECIDED > judged) {
      throw new AssertionError(
          String.format("%s: %d of %d runs are undecided", name, undecided, judged));
    }
    return met;
  }

  private AssertionError failure(long seed, long runs, Run run, Scenario whole, Scenario scenario) {
    Smallest smallest = shrunk(run, scenario);
    return new AssertionError(
        String.format(
            "%s, seed %d (run %d): %s%nrun it again: %s%nas small as it gets: %s%nrun that: %s%n%s",
            name,
            seed,
            runs,
            run.failure().orElseThrow().getMessage(),
            Replay.command(seed, Kept.of(scenario, whole).toString(), run.turns()),
            smallest.run.failure().orElseThrow().getMessage(),
            Replay.command(
                seed, Kept.of(smallest.scenario, whole).toString(), smallest.run.turns()),
            smallest.run.describe()),
        smallest.run.failure().orElseThrow());
  }

  /** Takes away whatever can be taken away, one thing after another, until nothing more can. */
  private Smallest shrunk(Run failed, Scenario scenario) {
    Smallest smallest = new Smallest(failed, scenario);
    boolean smaller = true;
    while (smaller) {
      smaller = smallest.without(Scenario::programs, Scenario::with);
      for (int i = 0; i < smallest.scenario.programs().size(); i++) {
        int program = i;
        smaller |=
            smallest.without(
                now -> now.programs().get(program).steps(),
                (now, steps) -> {
                  List<Scenario.Program> programs = new ArrayList<>(now.programs());
                  programs.set(
                      program, new Scenario.Program(programs.get(program).client(), steps));
                  return now.with(programs);
                });
      }
      smaller |= smallest.without(Scenario::faults, Scenario::withFaults);
      smaller |= smallest.without(Scenario::disturbances, Scenario::withDisturbances);
      smaller |= smallest.without(Scenario::setUp, Scenario::withSetUp);
    }
    return smallest;
  }

  /** The first words of what went wrong: one failure is not made small into another. */
  private static String kind(Run failed) {
    String message = String.valueOf(failed.failure().orElseThrow().getMessage());
    return message.substring(0, Math.min(message.length(), KIND));
  }

  private final class Smallest {
    private Run run;
    private Scenario scenario;

    private Smallest(Run run, Scenario scenario) {
      this.run = run;
      this.scenario = scenario;
    }

    private <T> boolean without(
        Function<Scenario, List<T>> parts, BiFunction<Scenario, List<T>, Scenario> with) {
      boolean smaller = false;
      for (int i = parts.apply(scenario).size() - 1; i >= 0; i--) {
        List<T> fewer = new ArrayList<>(parts.apply(scenario));
        T unused = fewer.remove(i);
        smaller |= failsStill(with.apply(scenario, List.copyOf(fewer)));
      }
      return smaller;
    }

    private boolean failsStill(Scenario smaller) {
      for (int order = 0; order < ORDERS; order++) {
        Run again = Run.of(world, smaller, new Ambush(smaller.schedule() + order));
        if (again.failure().isPresent() && kind(again).equals(kind(run))) {
          run = again;
          scenario = smaller;
          return true;
        }
      }
      return false;
    }
  }
}
