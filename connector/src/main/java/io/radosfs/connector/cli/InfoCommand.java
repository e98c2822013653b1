// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the superblock, and what the pools hold. */
@Command(
    name = "info",
    description = "Shows the superblock of a file system, and the usage of its pools.")
final class InfoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Override
  public Integer call() throws IOException {
    Table table = new Table();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      table.row("file system", mount.authority());
      table.row("cluster", mount.fsid());
      table.row("superblock", mount.superblock().describe());
      for (ObjectStore pool : mount.pools()) {
        addUsage(table, pool, pool == mount.index() ? "index pool" : "data pool");
      }
    }
    table.print(spec.commandLine().getOut());
    return 0;
  }

  private static void addUsage(Table table, ObjectStore store, String name) throws IOException {
    PoolUsage usage = store.usage();
    String quota =
        usage.quotaBytes().map(bytes -> String.format(", quota of %,d bytes", bytes)).orElse("")
            + usage.quotaObjects().map(n -> String.format(", quota of %,d objects", n)).orElse("");
    table.row(
        name,
        String.format(
            "%s: %,d bytes in %,d objects, of all namespaces; room for %,d bytes%s",
            store.pool(), usage.bytes(), usage.objects(), usage.bytesAvailable(), quota));
  }
}
