// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.TreeWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Searches a tree by the attributes of files. */
@Command(
    name = "find",
    header = "Searches by name, size, age and type.",
    description =
        "Prints the URIs of the files and directories below a directory that match all that is"
            + " given. By the index alone; no file is read.")
final class FindCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;
  @Mixin private Wanted wanted;

  @Option(
      names = {"-l", "--long"},
      description = "Print lines as `radosfs ls` does.")
  private boolean detailed;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    Predicate<Namespace.Child> test = wanted.test(System.currentTimeMillis());
    AtomicLong looked = new AtomicLong();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress =
            output.showing("find", () -> String.format("%,d looked at", looked.get()))) {
      TreeWalk walk = new TreeWalk(target.path(), mount.namespace()::list, mount.directories());
      while (walk.hasNext()) {
        Namespace.Child child = walk.next();
        long unused = looked.incrementAndGet();
        if (test.test(child)) {
          output.result(
              () -> EntryText.fields(target.location(), child.path(), child.entry()),
              () ->
                  detailed
                      ? EntryText.line(target.location(), child.path(), child.entry(), sizes)
                      : target.location().of(child.path()));
        }
      }
    } catch (FileNotFoundException e) {
      throw Missing.at(target.location(), e);
    }
    output.flush();
    return 0;
  }
}
