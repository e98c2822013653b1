// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.Peer.Store;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Seconds that works of the part {@code peers} take about, on one OSD and two cores: for the time
 * that is left, in which a turn of S3A weighs more than all others. No figure depends on them.
 */
final class PeerTimes {

  /** Of a small file, with its share of the job's commit. */
  private static final Map<String, Double> OF_A_FILE =
      Map.of(
          Peers.RADOS, 0.02,
          Peers.DISK, 0.025,
          Peers.CEPHFS_V1, 0.05,
          Peers.CEPHFS_V2, 0.05,
          Peers.S3A_MAGIC, 0.48,
          Peers.S3A_V1, 0.8,
          Peers.S3A_V2, 0.4);

  /** Of a large file, with reading it. */
  private static final double OF_A_MIB = 0.015;

  private static final double OF_A_MIB_ON_S3A = 0.04;

  /** To find, plan and count. */
  private static final double OF_A_PARTITION = 0.005;

  private static final double OF_A_PARTITION_ON_S3A = 0.02;

  private PeerTimes() {}

  static long large(Peer peer, int mib) {
    return whole(mib * (onS3a(peer) ? OF_A_MIB_ON_S3A : OF_A_MIB));
  }

  static long files(Peer peer, int count) {
    return whole(count * OF_A_FILE.getOrDefault(peer.name(), 0.0));
  }

  /** Written, and overwritten. */
  static long partitions(Peer peer, int count) {
    return 2 * files(peer, count * PeerWorks.FILES_A_PARTITION);
  }

  static long table(Peer peer, int partitions) {
    return whole(partitions * (onS3a(peer) ? OF_A_PARTITION_ON_S3A : OF_A_PARTITION));
  }

  /** Of all works, in so many rounds of each at most. */
  static long all(PeerWorks works, Peers peers, int rounds) {
    long seconds = 0;
    for (Amount amount : works.large()) {
      seconds += amount.rounds(rounds) * sum(amount.of(peers), peer -> large(peer, amount.count()));
    }
    for (Amount amount : works.files()) {
      seconds += amount.rounds(rounds) * sum(amount.of(peers), peer -> files(peer, amount.count()));
    }
    for (Amount amount : works.partitions()) {
      seconds +=
          amount.rounds(rounds) * sum(amount.of(peers), peer -> partitions(peer, amount.count()));
    }
    for (Amount amount : works.tables()) {
      List<Peer> stores = amount.of(peers);
      seconds += sum(stores, peer -> files(peer, amount.count()));
      seconds += (1L + amount.rounds(rounds)) * sum(stores, peer -> table(peer, amount.count()));
    }
    return seconds;
  }

  private static long sum(List<Peer> peers, ToLongFunction<Peer> secondsOf) {
    return peers.stream().mapToLong(secondsOf).sum();
  }

  private static boolean onS3a(Peer peer) {
    return peer.store() == Store.S3A;
  }

  private static long whole(double seconds) {
    return Math.max(1, Math.round(seconds));
  }
}
