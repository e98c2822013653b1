// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.Peer.Store;
import io.radosfs.bench.report.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What each work cost each peer, round by round, and the figures of it. Not all take part in each
 * round: a ratio is of the rounds that both have.
 */
final class PeerCosts {

  private static final double MIB = 1 << 20;

  private final Peers peers;
  private final Map<String, Map<String, Rounds>> works = new LinkedHashMap<>();

  /**
   * Of one work and peer, by the numbers of the rounds.
   *
   * @param commits seconds of commitJob
   * @param files bytes of the files that were written
   */
  private record Rounds(
      TreeMap<Integer, Cost> costs,
      TreeMap<Integer, Double> commits,
      TreeMap<Integer, Long> files) {

    Rounds() {
      this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    Samples of(ToDoubleFunction<Cost> what) {
      Samples samples = new Samples();
      costs.values().forEach(cost -> samples.add(what.applyAsDouble(cost)));
      return samples;
    }

    Samples commitSeconds() {
      Samples samples = new Samples();
      commits.values().forEach(samples::add);
      return samples;
    }

    /** How many times as long as another it took, in each round that both have. */
    Samples over(Rounds other) {
      Samples samples = new Samples();
      costs.forEach(
          (round, cost) -> {
            if (other.costs.containsKey(round)) {
              samples.add(cost.seconds() / other.costs.get(round).seconds());
            }
          });
      return samples;
    }

    Samples bytesToFiles() {
      Samples samples = new Samples();
      files.forEach(
          (round, bytes) -> samples.add(costs.get(round).osds().bytesWritten() / (double) bytes));
      return samples;
    }
  }

  PeerCosts(Peers peers) {
    this.peers = peers;
  }

  /**
   * A round of some work.
   *
   * @param who a peer, or a store
   * @param round the same for those that are compared
   */
  void add(String work, String who, int round, Cost cost) {
    rounds(work, who).costs.put(round, cost);
  }

  /** What commitJob took in a round that was added. */
  void addCommit(String work, String who, int round, double seconds) {
    rounds(work, who).commits.put(round, seconds);
  }

  /** How many bytes the files have of a round that was added. */
  void addFiles(String work, String who, int round, long bytes) {
    rounds(work, who).files.put(round, bytes);
  }

  private Rounds rounds(String work, String who) {
    return works
        .computeIfAbsent(work, key -> new LinkedHashMap<>())
        .computeIfAbsent(who, key -> new Rounds());
  }

  /** Each work has a table and plots of its own. */
  List<Figure> figures() {
    List<Figure> all = new ArrayList<>();
    works.forEach(
        (work, costs) -> {
          Figures figures = new Figures("peers: " + work);
          costs.forEach((who, rounds) -> times(figures, who, rounds));
          costs.forEach((who, rounds) -> ratio(figures, work, who, costs));
          costs.forEach((who, rounds) -> resources(figures, who, rounds));
          all.addAll(figures.list());
        });
    return all;
  }

  private static void times(Figures figures, String who, Rounds rounds) {
    figures.note(who + ", time", rounds.of(Cost::seconds), "s");
    if (!rounds.commits.isEmpty()) {
      figures.note(who + ", commitJob", rounds.commitSeconds(), "s");
    }
  }

  /** To rados://: how many times as long it takes. Of the local disk, as the goals are, ours. */
  private void ratio(Figures figures, String work, String who, Map<String, Rounds> of) {
    String ours = peers.rados().name();
    if (who.equals(ours) || !of.containsKey(ours)) {
      return;
    }
    boolean disk = store(who) == Store.DISK;
    Samples ratio = disk ? of.get(ours).over(of.get(who)) : of.get(who).over(of.get(ours));
    if (ratio.values().isEmpty()) {
      return;
    }
    String name = disk ? ours + " to " + who : who + " to " + ours;
    Optional<Double> goal = disk ? PeerGoals.toDisk(work) : PeerGoals.of(who, work);
    if (goal.isEmpty()) {
      figures.note(name, ratio, "");
    } else if (disk) {
      figures.atMost(name, ratio, "", goal.get());
    } else {
      figures.atLeast(name, ratio, "", goal.get());
    }
  }

  /** The local disk has no part in Ceph, and rados:// has nothing between. */
  private void resources(Figures figures, String who, Rounds rounds) {
    figures.note(who + ", client", rounds.of(Cost::clientCpu), "CPU s");
    Store store = store(who);
    if (store == Store.DISK) {
      return;
    }
    if (store != Store.RADOS) {
      figures.note(who + ", gateway or MDS and ceph-fuse", rounds.of(Cost::betweenCpu), "CPU s");
    }
    figures.note(who + ", OSDs", rounds.of(Cost::osdCpu), "CPU s");
    figures.note(who + ", writing", rounds.of(cost -> cost.osds().writes()), "operations");
    figures.note(who + ", reading", rounds.of(cost -> cost.osds().reads()), "operations");
    figures.note(who + ", written", rounds.of(cost -> cost.osds().bytesWritten() / MIB), "MiB");
    figures.note(who + ", read", rounds.of(cost -> cost.osds().bytesRead() / MIB), "MiB");
    bytes(figures, who, store, rounds.bytesToFiles());
  }

  private static void bytes(Figures figures, String who, Store store, Samples toFiles) {
    if (toFiles.values().isEmpty()) {
      return;
    }
    String name = who + ", bytes at the OSDs to bytes of the files";
    if (store == Store.RADOS) {
      figures.atMost(name, toFiles, "", PeerGoals.BYTES_TO_FILES);
    } else {
      figures.note(name, toFiles, "");
    }
  }

  private Store store(String who) {
    return peers.all().stream()
        .filter(peer -> peer.name().equals(who) || peer.store().title().equals(who))
        .findFirst()
        .orElseThrow()
        .store();
  }
}
