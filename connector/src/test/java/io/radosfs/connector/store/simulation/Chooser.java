// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Decides which client goes on at each scheduling point of one run. */
public interface Chooser {

  /**
   * The client that goes on, or null to give up a run that another one has made redundant.
   *
   * @param pending the next operation of each client that can go on
   * @param current the client that went on last; null at the start
   */
  String choose(List<OpInfo> pending, String current);

  static boolean isPending(List<OpInfo> pending, String client) {
    return pending.stream().anyMatch(op -> op.client().equals(client));
  }

  /** Chooses by a seed; some seeds switch often, others seldom. */
  static Chooser random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double switching = new double[] {0.1, 0.3, 0.7}[random.nextInt(3)];
    return (pending, current) -> {
      if (isPending(pending, current) && random.nextDouble() >= switching) {
        return current;
      }
      return pending.get(random.nextInt(pending.size())).client();
    };
  }

  /** Follows a schedule as {@link TurnScheduler#schedule()} writes it; then goes on as it was. */
  static Chooser replay(String schedule) {
    List<String> turns = new ArrayList<>();
    for (String word : schedule.isBlank() ? new String[0] : schedule.trim().split("\\s+", -1)) {
      int star = word.lastIndexOf('*');
      int times = star < 0 ? 1 : Integer.parseInt(word.substring(star + 1));
      for (int i = 0; i < times; i++) {
        turns.add(star < 0 ? word : word.substring(0, star));
      }
    }
    var next = turns.iterator();
    return (pending, current) -> {
      if (next.hasNext()) {
        String client = next.next();
        if (!isPending(pending, client)) {
          throw new AssertionError(
              "the schedule does not fit: " + client + " is not among " + pending);
        }
        return client;
      }
      return isPending(pending, current) ? current : pending.get(0).client();
    };
  }

  /**
   * Depth-first over all schedules: run after run, each with {@link #advance()} before it.
   *
   * <p>Without a bound on preemptions, runs that differ from an earlier one only in the order of
   * neighbouring operations that nobody can tell apart (on different objects, or both reads) are
   * left out: sleep sets, after Godefroid. With a bound on preemptions (switches away from a client
   * that could have gone on), every schedule within it is run.
   */
  final class Exhaustive implements Chooser {

    private static final class Node {
      private List<OpInfo> pending;
      private final List<String> candidates;
      private final Set<String> asleep;
      private final int preemptions;
      private int index;

      private Node(
          List<OpInfo> pending, List<String> candidates, Set<String> asleep, int preemptions) {
        this.pending = pending;
        this.candidates = candidates;
        this.asleep = asleep;
        this.preemptions = preemptions;
      }

      private String chosen() {
        return candidates.get(index);
      }

      private OpInfo operation(String client) {
        return pending.stream().filter(op -> op.client().equals(client)).findFirst().orElse(null);
      }
    }

    private final int maxPreemptions;
    private final List<Node> path = new ArrayList<>();
    private boolean started;
    private int depth;

    /**
     * @param maxPreemptions negative for no bound
     */
    Exhaustive(int maxPreemptions) {
      this.maxPreemptions = maxPreemptions;
    }

    /** Turns to the next schedule; false when there is none. */
    boolean advance() {
      depth = 0;
      if (!started) {
        started = true;
        return true;
      }
      while (!path.isEmpty()) {
        Node last = path.get(path.size() - 1);
        if (++last.index < last.candidates.size()) {
          return true;
        }
        path.remove(path.size() - 1);
      }
      return false;
    }

    @Override
    public String choose(List<OpInfo> pending, String current) {
      if (depth < path.size()) {
        Node node = path.get(depth++);
        node.pending = List.copyOf(pending);
        if (!isPending(pending, node.chosen())) {
          throw new AssertionError(
              "the programs are not deterministic: "
                  + node.chosen()
                  + " had an operation here before, now there are "
                  + pending);
        }
        return node.chosen();
      }
      Node node = expand(pending, current);
      if (node == null) {
        return null;
      }
      path.add(node);
      depth++;
      return node.chosen();
    }

    private Node expand(List<OpInfo> pending, String current) {
      Set<String> asleep = new HashSet<>();
      int preemptions = 0;
      if (!path.isEmpty()) {
        Node parent = path.get(path.size() - 1);
        asleep = stillAsleep(parent);
        String before = path.size() < 2 ? null : path.get(path.size() - 2).chosen();
        boolean switched = before != null && !before.equals(parent.chosen());
        preemptions = parent.preemptions + (switched && isPending(parent.pending, before) ? 1 : 0);
      }
      boolean stay =
          maxPreemptions >= 0 && preemptions >= maxPreemptions && isPending(pending, current);
      List<String> candidates = new ArrayList<>();
      if (isPending(pending, current) && !asleep.contains(current)) {
        candidates.add(current);
      }
      for (OpInfo op : pending) {
        if (!stay && !op.client().equals(current) && !asleep.contains(op.client())) {
          candidates.add(op.client());
        }
      }
      return candidates.isEmpty()
          ? null
          : new Node(List.copyOf(pending), candidates, asleep, preemptions);
    }

    /** Clients whose next operation was tried before the parent's choice and commutes with it. */
    private Set<String> stillAsleep(Node parent) {
      Set<String> asleep = new HashSet<>();
      if (maxPreemptions >= 0) {
        return asleep;
      }
      OpInfo chosen = parent.operation(parent.chosen());
      Set<String> before = new HashSet<>(parent.asleep);
      before.addAll(parent.candidates.subList(0, parent.index));
      for (String client : before) {
        OpInfo op = parent.operation(client);
        if (op != null && op.independentOf(chosen)) {
          asleep.add(client);
        }
      }
      return asleep;
    }
  }
}
