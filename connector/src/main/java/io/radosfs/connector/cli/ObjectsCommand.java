// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the objects of a file, for scripts. */
@Command(
    name = "objects",
    header = "Lists the RADOS objects of a file.",
    description =
        "Lists the names of a file's RADOS objects in their order; of a directory, of its index.")
final class ObjectsCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      Entry entry = target.entry(mount);
      String pool = RadosObjects.pool(mount, entry);
      RadosObjects.of(mount, target.path(), entry)
          .names()
          .forEach(
              name ->
                  output.result(
                      () ->
                          new Fields()
                              .with("object", name)
                              .with("pool", pool)
                              .with("namespace", mount.authority().namespace()),
                      () -> name));
    }
    output.flush();
    return 0;
  }
}
