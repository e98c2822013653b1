// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.works.WorkGoals;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What the works of the part {@code peers} are to reach: ratios of times in the same round. */
final class PeerGoals {

  /** What the OSDs count of a large file's bytes, at most. */
  static final double BYTES_TO_FILES = WorkGoals.BYTES_TO_FILES;

  private static final String LARGE = PeerWorks.large(512);
  private static final String FILES = PeerWorks.files(1_000);
  private static final String MANY_FILES = PeerWorks.files(10_000);
  private static final String PARTITIONS = PeerWorks.partitions(200);
  private static final String OVERWRITTEN = PARTITIONS + PeerWorks.OVERWRITTEN;
  private static final String TABLE = PeerWorks.table(WorkGoals.TABLE_PARTITIONS);

  private static final Map<String, Double> TO_DISK =
      Map.of(
          LARGE,
          WorkGoals.LARGE,
          LARGE + PeerWorks.READ_BACK,
          WorkGoals.READ_WARM,
          FILES,
          WorkGoals.FILES,
          MANY_FILES,
          WorkGoals.FILES,
          PARTITIONS,
          WorkGoals.PARTITIONS,
          OVERWRITTEN,
          WorkGoals.PARTITIONS,
          TABLE + PeerWorks.PLANNED,
          WorkGoals.TABLE,
          TABLE + PeerWorks.COUNTED,
          WorkGoals.TABLE);

  private static final Map<String, Map<String, Double>> OF_PEERS =
      Map.of(
          FILES, Map.of(Peers.S3A_MAGIC, 10.0),
          MANY_FILES, Map.of(Peers.S3A_MAGIC, 10.0),
          PARTITIONS, Map.of(Peers.S3A_V2, 20.0),
          OVERWRITTEN, Map.of(Peers.S3A_V2, 20.0));

  private PeerGoals() {}

  /** Those that have one. */
  static Set<String> works() {
    Set<String> works = new TreeSet<>(TO_DISK.keySet());
    works.addAll(OF_PEERS.keySet());
    return works;
  }

  /** At most so many times as long as the local disk, where there is such a goal. */
  static Optional<Double> toDisk(String work) {
    return Optional.ofNullable(TO_DISK.get(work));
  }

  /** At least so many times as long as rados://, where there is such a goal. */
  static Optional<Double> of(String peer, String work) {
    return Optional.ofNullable(OF_PEERS.getOrDefault(work, Map.of()).get(peer));
  }
}
