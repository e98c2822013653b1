// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * What the part {@code peers} does not measure, and why: a peer that is missing in a table, and a
 * single round, are explained.
 */
final class Omissions {

  private static final String TITLE = "what was left out";
  private static final List<String> COLUMNS = List.of("work", "left out", "why");

  private static final String SLOW = ": --slow-peers measures it";

  private final PeerWorks works;
  private final Peers peers;
  private final int rounds;
  private final List<List<String>> rows = new ArrayList<>();

  private Omissions(PeerWorks works, Peers peers, int rounds) {
    this.works = works;
    this.peers = peers;
    this.rounds = rounds;
  }

  /**
   * A table of it.
   *
   * @param rounds of what takes no time
   */
  static Findings of(PeerWorks works, Peers peers, int rounds) {
    return new Omissions(works, peers, rounds).findings();
  }

  private Findings findings() {
    if (works.equals(PeerWorks.slow())) {
      String why = "with --slow-peers nothing else is measured: a run without it has them";
      rows.add(List.of("all others", "all peers", why));
      return new Findings("peers", TITLE, COLUMNS, rows);
    }
    if (!peers.ofStores().containsKey(Peer.Store.CEPHFS)) {
      rows.add(List.of("all", "CephFS", "it could not be mounted: see what the run printed"));
    }
    add(works.large(), PeerWorks::large, PeerTimes::large);
    add(works.files(), PeerWorks::files, PeerTimes::files);
    add(works.partitions(), PeerWorks::partitions, PeerTimes::partitions);
    for (Amount amount : works.tables()) {
      addRounds(PeerWorks.table(amount.count()), amount, PeerTimes::table);
    }
    return new Findings("peers", TITLE, COLUMNS, rows);
  }

  private interface Seconds {
    long of(Peer peer, int count);
  }

  private void add(List<Amount> amounts, IntFunction<String> title, Seconds seconds) {
    Map<Integer, Set<String>> measured = new LinkedHashMap<>();
    for (Amount amount : amounts) {
      measured
          .computeIfAbsent(amount.count(), unused -> new LinkedHashSet<>())
          .addAll(amount.peers());
    }
    measured.forEach(
        (count, names) -> {
          for (Peer peer : peers.all()) {
            if (!names.contains(peer.name())) {
              String work = title.apply(count);
              String why = "a round would take about " + time(seconds.of(peer, count));
              rows.add(List.of(work, peer.name(), why + (isSlow(work, peer) ? SLOW : "")));
            }
          }
        });
    amounts.forEach(amount -> addRounds(title.apply(amount.count()), amount, seconds));
  }

  private static boolean isSlow(String work, Peer peer) {
    return PeerWorks.slow().files().stream()
        .anyMatch(
            amount ->
                PeerWorks.files(amount.count()).equals(work)
                    && amount.peers().contains(peer.name()));
  }

  private void addRounds(String work, Amount amount, Seconds seconds) {
    int measured = amount.rounds(rounds);
    if (measured < rounds) {
      List<Peer> taking = amount.of(peers);
      long aRound = taking.stream().mapToLong(peer -> seconds.of(peer, amount.count())).sum();
      rows.add(
          List.of(
              work,
              (rounds - measured) + " of " + rounds + " rounds of " + names(taking),
              "a round takes about " + time(aRound)));
    }
  }

  private static String names(List<Peer> peers) {
    return peers.stream().map(Peer::name).collect(Collectors.joining(", "));
  }

  private static String time(long seconds) {
    return seconds < 90 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
  }
}
