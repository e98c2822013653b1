// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A pool of a file system, for display.
 *
 * @param role {@code index} or {@code data}
 * @param usage of all namespaces
 */
record PoolText(String pool, String role, Set<String> applications, PoolUsage usage) {

  /** The pools of a file system, that of the index first. One command to a monitor for each. */
  static List<PoolText> of(Mount mount) throws IOException {
    List<PoolText> pools = new ArrayList<>();
    for (ObjectStore pool : mount.pools()) {
      pools.add(
          new PoolText(
              pool.pool(),
              pool == mount.index() ? "index" : "data",
              pool.applications(),
              pool.usage()));
    }
    return pools;
  }

  String sentence(Sizes sizes) {
    String quota =
        usage.quotaBytes().map(bytes -> ", quota of " + sizes.inWords(bytes)).orElse("")
            + usage.quotaObjects().map(n -> String.format(", quota of %,d objects", n)).orElse("");
    return String.format(
        "%s: %s in %,d objects, of all namespaces; room for %s%s",
        pool,
        sizes.inWords(usage.bytes()),
        usage.objects(),
        sizes.inWords(usage.bytesAvailable()),
        quota);
  }

  Fields fields() {
    return new Fields()
        .with("pool", pool)
        .with("role", role)
        .with("applications", List.copyOf(applications))
        .with("bytes", usage.bytes())
        .with("objects", usage.objects())
        .with("bytesAvailable", usage.bytesAvailable())
        .withIf("quotaBytes", usage.quotaBytes())
        .withIf("quotaObjects", usage.quotaObjects());
  }
}
