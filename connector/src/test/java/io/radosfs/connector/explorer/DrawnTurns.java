// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Chooser;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The order in which the clients of a scenario go on, and what happens to all meanwhile. */
final class DrawnTurns implements Chooser {

  /** More than any run takes that comes to an end. */
  private static final int MOST_TURNS = 20_000;

  private final Scenario scenario;
  private final SimulatedCluster cluster;
  private final Chooser order;
  private final Tally tally;

  /** Until which turn a client is held. */
  private final Map<String, Integer> held = new ConcurrentHashMap<>();

  private int turn;
  private boolean damaged;

  DrawnTurns(Scenario scenario, SimulatedCluster cluster, Chooser order, Tally tally) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.order = order;
    this.tally = tally;
  }

  int turns() {
    return turn;
  }

  /** Has a client not go on for so many turns, unless nobody else can. */
  void hold(String client, int turns) {
    held.put(client, turn + turns);
  }

  /** Whether another program has removed what was no business of its. */
  boolean isDamaged() {
    return damaged;
  }

  @Override
  public String choose(List<OpInfo> pending, String current) {
    turn++;
    if (turn > MOST_TURNS) {
      throw new AssertionError(
          "nothing comes to an end within " + MOST_TURNS + " operations; waiting: " + pending);
    }
    List<OpInfo> able = pending;
    for (Scenario.Disturbance disturbance : scenario.disturbances()) {
      if (turn == disturbance.from()) {
        tally.struck(disturbance.getClass().getSimpleName());
      }
      if (disturbance instanceof Scenario.Disturbance.Suspended suspended) {
        if (isWithin(suspended.from(), suspended.turns())) {
          able = without(able, suspended.client());
        }
      } else if (disturbance instanceof Scenario.Disturbance.AtQuota quota) {
        if (turn == quota.from() || turn == quota.from() + quota.turns()) {
          cluster.setAtQuota(SimulatedMount.POOL, turn == quota.from());
        }
      } else if (disturbance instanceof Scenario.Disturbance.Damage damage) {
        if (turn >= damage.from() && !damaged) {
          removeMark();
        }
      } else if (disturbance instanceof Scenario.Disturbance.Clock clock) {
        if (turn == clock.from()) {
          cluster.client(clock.client()).setClockAhead(clock.millis());
        }
      } else if (disturbance instanceof Scenario.Disturbance.Full full) {
        if (turn == full.from() || turn == full.from() + full.turns()) {
          cluster.setFull(SimulatedMount.POOL, turn == full.from());
        }
      } else if (disturbance.from() == turn) {
        cluster.landDelayedOps();
      }
    }
    for (Map.Entry<String, Integer> client : held.entrySet()) {
      if (turn < client.getValue()) {
        able = without(able, client.getKey());
      }
    }
    return order.choose(able, current);
  }

  private void removeMark() {
    for (Map.Entry<String, ObjectView> object :
        cluster.objects(SimulatedMount.POOL, "").entrySet()) {
      for (String key : object.getValue().omap().keySet()) {
        if (key.startsWith(IndexKeys.TRANSACTION_PREFIX) && !damaged) {
          damaged = true;
          SimulatedCluster unused =
              cluster.removeOmapKey(SimulatedMount.POOL, object.getKey(), key);
        }
      }
    }
  }

  private boolean isWithin(int from, int turns) {
    return turn >= from && turn < from + turns;
  }

  private static List<OpInfo> without(List<OpInfo> pending, String client) {
    List<OpInfo> others = pending.stream().filter(op -> !op.isOf(client)).toList();
    return others.isEmpty() ? pending : others;
  }
}
