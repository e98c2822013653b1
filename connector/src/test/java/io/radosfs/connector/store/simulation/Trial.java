// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/** One run of an {@link Experiment}, as its check sees it. */
public final class Trial {

  private final SimulatedCluster cluster;
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private String description;
  private String command = "";

  Trial(SimulatedCluster cluster, String description) {
    this.cluster = cluster;
    this.description = description;
  }

  public SimulatedCluster cluster() {
    return cluster;
  }

  /** A client in good health for the check to look with. */
  public SimulatedClient observer() {
    return cluster.client("observer");
  }

  /** What came of a program. */
  public Outcome outcome(String program) {
    Outcome outcome;
    synchronized (outcomes) {
      outcome = outcomes.get(program);
    }
    if (outcome == null) {
      throw new IllegalArgumentException("no program " + program + " has run");
    }
    return outcome;
  }

  /** What is special about this run: the fault, or the schedule. */
  public String description() {
    return description;
  }

  void describe(String text) {
    description = text;
  }

  void repeatBy(String toRun) {
    command = toRun;
  }

  /** How to run it again, if by one command; a line of its own. */
  String repetition() {
    return command.isEmpty() ? "" : String.format("%nrun it again: %s", command);
  }

  void record(Outcome outcome) {
    synchronized (outcomes) {
      outcomes.put(outcome.program(), outcome);
    }
  }

  String outcomes() {
    synchronized (outcomes) {
      return outcomes.values().toString();
    }
  }
}
