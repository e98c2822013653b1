// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a superblock with other values than the defaults. */
@Command(
    name = "format",
    header = "Makes the file system of a pool, before its first use.",
    description =
        "Makes the file system of a pool, or of a namespace in it, before its first use. Without"
            + " options the first write does so anyway, in a namespace without objects. Pools of"
            + " RBD, RGW, CephFS and other applications are refused.")
final class FormatCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = "--data-pool",
      paramLabel = "POOL",
      description = "Keep the data of files in this pool, which may be erasure-coded.")
  private String dataPool;

  @Option(
      names = "--object-size",
      paramLabel = "SIZE",
      description = "Bytes in one RADOS object of a file, such as 4M.")
  private String objectSize;

  @Override
  public Integer call() throws IOException {
    Authority whole = target.wholeFileSystem();
    Configuration conf = target.configuration();
    if (objectSize != null) {
      conf.set(Options.OBJECT_SIZE.key(), objectSize);
      conf.set("fs.rados.pool." + whole.pool() + ".object.size", objectSize);
    }
    Optional<String> other =
        Optional.ofNullable(dataPool).filter(pool -> !pool.equals(whole.pool()));
    try (Mount mount = Mount.format(whole, conf, other)) {
      Superblock made = mount.superblock();
      output.result(
          () -> SuperblockText.fields(mount), () -> whole + ": " + made.describe(sizes::text));
    }
    return 0;
  }
}
