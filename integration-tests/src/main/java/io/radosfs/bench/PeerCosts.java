// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.Peer.Store;
import io.radosfs.bench.report.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each work cost each peer, round by round, and the figures of it. */
final class PeerCosts {

  private static final double MIB = 1 << 20;

  private final Peers peers;
  private final Map<String, Map<String, Rounds>> works = new LinkedHashMap<>();

  private record Rounds(List<Cost> costs, Samples commits) {
    Samples of(java.util.function.ToDoubleFunction<Cost> what) {
      Samples samples = new Samples();
      costs.forEach(cost -> samples.add(what.applyAsDouble(cost)));
      return samples;
    }

    Samples seconds() {
      return of(Cost::seconds);
    }
  }

  PeerCosts(Peers peers) {
    this.peers = peers;
  }

  /**
   * A round of some work.
   *
   * @param who a peer, or a store
   */
  void add(String work, String who, Cost cost) {
    rounds(work, who).costs.add(cost);
  }

  void addCommit(String work, String who, double seconds) {
    rounds(work, who).commits.add(seconds);
  }

  private Rounds rounds(String work, String who) {
    return works
        .computeIfAbsent(work, key -> new LinkedHashMap<>())
        .computeIfAbsent(who, key -> new Rounds(new ArrayList<>(), new Samples()));
  }

  /** Each work has a table and plots of its own. */
  List<Figure> figures() {
    List<Figure> all = new ArrayList<>();
    works.forEach(
        (work, costs) -> {
          Figures figures = new Figures("peers: " + work);
          costs.forEach((who, rounds) -> times(figures, who, rounds));
          costs.forEach((who, rounds) -> ratio(figures, work, who, rounds, costs));
          costs.forEach((who, rounds) -> resources(figures, who, rounds));
          all.addAll(figures.list());
        });
    return all;
  }

  private static void times(Figures figures, String who, Rounds rounds) {
    figures.note(who + ", time", rounds.seconds(), "s");
    if (!rounds.commits.values().isEmpty()) {
      figures.note(who + ", commitJob", rounds.commits, "s");
    }
  }

  /** To rados://: how many times as long it takes. */
  private void ratio(
      Figures figures, String work, String who, Rounds rounds, Map<String, Rounds> of) {
    String first = peers.rados().name();
    if (who.equals(first)) {
      return;
    }
    String name = who + " to " + first;
    Samples ratio = rounds.seconds().over(of.get(first).seconds());
    if (work.endsWith("000 files") && who.equals("S3A magic")) {
      figures.atLeast(name, ratio, "", 10);
    } else if (work.endsWith("000 files") && who.equals("local disk v1")) {
      figures.atLeast(name, ratio, "", 1);
    } else {
      figures.note(name, ratio, "");
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
  }

  private Store store(String who) {
    return peers.all().stream()
        .filter(peer -> peer.name().equals(who) || peer.store().title().equals(who))
        .findFirst()
        .orElseThrow()
        .store();
  }
}
