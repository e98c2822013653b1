// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows how full the pools are. */
@Command(
    name = "df",
    header = "Shows how full the pools of a file system are.",
    description =
        "Shows for each pool of the file system what is stored in it (of all namespaces, without"
            + " copies), what there is room for, and its quota. The numbers are the monitors', and"
            + " some seconds old.")
final class DfCommand implements Callable<Integer> {

  private static final int PERCENT = 100;

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    List<PoolText> pools;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      pools = PoolText.of(mount);
    }
    output.all(
        pools.stream().map(PoolText::fields).toList(),
        out -> {
          Columns columns =
              new Columns("POOL", "FOR", "STORED", "OBJECTS", "AVAILABLE", "USED", "QUOTA");
          pools.forEach(pool -> addTo(columns, pool));
          columns.print(out);
        });
    output.flush();
    return 0;
  }

  private void addTo(Columns columns, PoolText pool) {
    PoolUsage usage = pool.usage();
    columns.row(
        pool.pool(),
        pool.role(),
        sizes.text(usage.bytes()),
        usage.objects(),
        sizes.text(usage.bytesAvailable()),
        percent(usage),
        quota(usage));
  }

  private static String percent(PoolUsage usage) {
    long all = usage.bytes() + usage.bytesAvailable();
    return all == 0 ? "-" : String.format("%d%%", PERCENT * usage.bytes() / all);
  }

  private String quota(PoolUsage usage) {
    if (usage.quotaBytes().isEmpty() && usage.quotaObjects().isEmpty()) {
      return "-";
    }
    return usage.quotaBytes().map(sizes::text).orElse("")
        + (usage.quotaBytes().isPresent() && usage.quotaObjects().isPresent() ? ", " : "")
        + usage.quotaObjects().map(n -> n + " objects").orElse("");
  }
}
