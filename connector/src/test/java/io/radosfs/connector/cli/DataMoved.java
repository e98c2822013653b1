// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The bytes of objects' data that operations of a simulation carried, without those of the
 * superblock, which each mount reads. What is in omaps and attributes is no data.
 *
 * @param written to objects
 * @param read from objects, at most
 */
record DataMoved(long written, long read) {

  static final DataMoved NOTHING = new DataMoved(0, 0);

  private static final Pattern WRITTEN = Pattern.compile("writeFull\\((\\d+) bytes\\)");
  private static final Pattern READ = Pattern.compile("\\bdata\\((\\d+) bytes");

  /** All that came to the cluster after so many operations. */
  static DataMoved since(SimulatedCluster cluster, int operations) {
    List<String> words =
        cluster.log().entries().subList(operations, cluster.log().size()).stream()
            .filter(entry -> !entry.op().object().equals(ObjectNames.SUPERBLOCK))
            .map(entry -> entry.op().summary())
            .toList();
    return new DataMoved(sum(words, WRITTEN), sum(words, READ));
  }

  private static long sum(List<String> words, Pattern bytes) {
    return words.stream()
        .flatMap(text -> bytes.matcher(text).results())
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }
}
