// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.TreeWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.RemoteIterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists a directory. */
@Command(
    name = "ls",
    header = "Lists a directory.",
    description =
        "Lists what is in a directory, or the file itself: permission, owner, group, size, time of"
            + " the last change (UTC), URI. In the order of the names, but for directories whose"
            + " index is spread over several objects.")
final class LsCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = {"-R", "--recursive"},
      description = "List all that is below, too.")
  private boolean recursive;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    FsPath path = target.path();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      RemoteIterator<Namespace.Child> children =
          recursive
              ? new TreeWalk(path, mount.namespace()::list, mount.directories())
              : mount.namespace().listing(path);
      while (children.hasNext()) {
        Namespace.Child child = children.next();
        output.result(
            () -> EntryText.fields(target.location(), child.path(), child.entry()),
            () -> EntryText.line(target.location(), child.path(), child.entry(), sizes));
      }
    } catch (FileNotFoundException e) {
      throw Missing.at(target.location(), e);
    }
    output.flush();
    return 0;
  }
}
