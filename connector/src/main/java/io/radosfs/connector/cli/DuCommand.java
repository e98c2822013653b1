// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.TreeWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sums up the sizes of files. */
@Command(
    name = "du",
    header = "Sums up the sizes of files.",
    description =
        "Sums up the files of a directory: for each child the bytes in it, without copies and"
            + " without what erasure codes add, and its files, directories and RADOS objects of"
            + " data. By the index alone; no file is read. Data of replaced files that is still"
            + " kept is not in it: `radosfs gc --dry-run` lists that.")
final class DuCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = {"-s", "--summarize"},
      description = "Show the sum alone.")
  private boolean summarize;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    FsPath top = target.path();
    Map<FsPath, DiskUse> uses = new TreeMap<>();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("du", new OperationCount(mount))) {
      TreeWalk walk = new TreeWalk(top, mount.namespace()::list, mount.directories());
      while (walk.hasNext()) {
        Namespace.Child child = walk.next();
        FsPath counted = summarize ? top : childOf(top, child.path());
        uses.computeIfAbsent(counted, path -> new DiskUse()).add(child, counted);
      }
    } catch (FileNotFoundException e) {
      throw Missing.at(target.location(), e);
    }
    if (summarize && uses.isEmpty()) {
      uses.put(top, new DiskUse());
    }
    output.text(out -> out.println(DiskUse.line("SIZE", "FILES", "DIRECTORIES", "OBJECTS", "URI")));
    uses.forEach(
        (path, use) ->
            output.result(
                () -> use.fields(target.location(), path),
                () -> use.line(target.location(), path, sizes)));
    output.flush();
    return 0;
  }

  /** The child of the directory that the path is, or is below; a file is its own. */
  private static FsPath childOf(FsPath top, FsPath path) {
    FsPath child = path;
    while (!child.equals(top) && !child.parent().equals(top)) {
      child = child.parent();
    }
    return child;
  }
}
