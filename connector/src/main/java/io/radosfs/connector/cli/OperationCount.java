// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.RadosStatistic;
import java.util.Map;
import java.util.function.Supplier;

/** How many RADOS operations a mount has sent, for progress. */
final class OperationCount implements Supplier<String> {

  private final Mount mount;

  OperationCount(Mount mount) {
    this.mount = mount;
  }

  @Override
  public String get() {
    Map<String, Long> counters = mount.statistics().counters();
    long sent =
        counters.getOrDefault(RadosStatistic.OP_READ.symbol(), 0L)
            + counters.getOrDefault(RadosStatistic.OP_WRITE.symbol(), 0L);
    return String.format("%,d RADOS operations", sent);
  }
}
