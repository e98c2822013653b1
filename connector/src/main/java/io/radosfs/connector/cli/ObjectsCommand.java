// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.mount.Mount;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the objects of a file, for scripts. */
@Command(
    name = "objects",
    description =
        "Lists the names of a file's RADOS objects in their order; of a directory, of its index.")
final class ObjectsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      Entry entry =
          mount
              .namespace()
              .lookup(target.path())
              .orElseThrow(() -> new FileNotFoundException("no such file: " + target));
      Objects.of(mount, target.path(), entry).names().forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
