// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the superblock, and what the pools hold. */
@Command(
    name = "info",
    header = "Shows the superblock of a file system, and its pools.",
    description = "Shows the superblock of a file system, and the usage of its pools.")
final class InfoCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Override
  public Integer call() throws IOException {
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      String fsid = mount.fsid();
      List<PoolText> pools = PoolText.of(mount);
      output.print(
          () ->
              SuperblockText.fields(mount)
                  .with("fsid", fsid)
                  .withEach("pools", pools.stream().map(PoolText::fields).toList()),
          out -> {
            Table table = new Table();
            table.row("file system", mount.authority());
            table.row("cluster", fsid);
            table.row("superblock", mount.superblock().describe(sizes::text));
            pools.forEach(pool -> table.row(pool.role() + " pool", pool.sentence(sizes)));
            table.print(out);
          });
    }
    output.flush();
    return 0;
  }
}
