// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.util.List;
import java.util.Set;

/**
 * How much of a work is measured together. One that takes some peers too long has several amounts:
 * those that are quick have more rounds, or are alone.
 *
 * @param count files, partitions or MiB
 * @param peers names of those that take part; rados:// always does, as the ratios are to it
 * @param roundsAtMost for what takes long
 */
record Amount(int count, Set<String> peers, int roundsAtMost) {

  Amount {
    peers = Set.copyOf(peers);
    if (!peers.contains(Peers.RADOS)) {
      throw new IllegalArgumentException("nothing is measured without " + Peers.RADOS);
    }
  }

  /**
   * How many rounds there are.
   *
   * @param wanted of what takes no time
   */
  int rounds(int wanted) {
    return Math.min(wanted, roundsAtMost);
  }

  /** Those that take part and are there, in their order. */
  List<Peer> of(Peers all) {
    return all.all().stream().filter(peer -> peers.contains(peer.name())).toList();
  }
}
