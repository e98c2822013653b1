// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is left of a scenario that a seed draws, where it was made smaller: of each of its parts the
 * places of what is kept. As text: {@code setup=0,2 a=1 faults=0 disturbances=}; a client that is
 * not named is left out.
 */
final class Kept {

  private static final String SET_UP = "setup";
  private static final String FAULTS = "faults";
  private static final String DISTURBANCES = "disturbances";

  private final Map<String, List<Integer>> places;

  private Kept(Map<String, List<Integer>> places) {
    this.places = places;
  }

  /**
   * What one is of another.
   *
   * @param smaller made from {@code whole} by taking things away
   */
  static Kept of(Scenario smaller, Scenario whole) {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    places.put(SET_UP, places(smaller.setUp(), whole.setUp()));
    for (Scenario.Program program : smaller.programs()) {
      Scenario.Program all =
          whole.programs().stream()
              .filter(one -> one.client().equals(program.client()))
              .findFirst()
              .orElseThrow();
      places.put(program.client(), places(program.steps(), all.steps()));
    }
    places.put(FAULTS, places(smaller.faults(), whole.faults()));
    places.put(DISTURBANCES, places(smaller.disturbances(), whole.disturbances()));
    return new Kept(places);
  }

  private static List<Integer> places(List<?> few, List<?> all) {
    List<Integer> places = new ArrayList<>();
    int next = 0;
    for (Object one : few) {
      while (!all.get(next).equals(one)) {
        next++;
      }
      places.add(next++);
    }
    return places;
  }

  static Kept parse(String text) {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (String part : text.trim().split(" +", -1)) {
      int equals = part.indexOf('=');
      List<Integer> kept = new ArrayList<>();
      for (String place : part.substring(equals + 1).split(",", -1)) {
        if (!place.isEmpty()) {
          kept.add(Integer.valueOf(place));
        }
      }
      places.put(part.substring(0, equals), kept);
    }
    return new Kept(places);
  }

  Scenario of(Scenario whole) {
    List<Scenario.Program> programs = new ArrayList<>();
    for (Scenario.Program program : whole.programs()) {
      if (places.containsKey(program.client())) {
        programs.add(
            new Scenario.Program(program.client(), kept(program.client(), program.steps())));
      }
    }
    return whole
        .with(programs)
        .withSetUp(kept(SET_UP, whole.setUp()))
        .withFaults(kept(FAULTS, whole.faults()))
        .withDisturbances(kept(DISTURBANCES, whole.disturbances()));
  }

  private <T> List<T> kept(String part, List<T> all) {
    return places.getOrDefault(part, List.of()).stream().map(all::get).toList();
  }

  @Override
  public String toString() {
    return places.entrySet().stream()
        .map(
            part ->
                part.getKey()
                    + "="
                    + part.getValue().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")))
        .collect(Collectors.joining(" "));
  }
}
