// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.operations.TreeWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints which objects files consist of, so that they can be had without radosfs. */
@Command(
    name = "export",
    header = "Prints which objects the files of a tree consist of.",
    description =
        "Prints, as JSON, the directories and files below a directory, and for each file its"
            + " objects in their order: enough to restore all of it by `rados get` alone. Keep it"
            + " elsewhere. Each directory is of one instant, and the tree is not: what others change"
            + " while it is printed may be in it in part. To copy a tree to this machine: `radosfs get`.")
final class ExportCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    AtomicLong files = new AtomicLong();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress =
            output.showing("export", () -> String.format("%,d files", files.get()))) {
      TreeWalk walk = new TreeWalk(target.path(), mount.namespace()::list, mount.directories());
      while (walk.hasNext()) {
        Child child = walk.next();
        if (child.entry() instanceof Entry.OfFile file) {
          long unused = files.incrementAndGet();
          print(mount, child, file);
        } else {
          output.object(EntryText.fields(target.location(), child.path(), child.entry()));
        }
      }
    } catch (FileNotFoundException e) {
      throw Missing.at(target.location(), e);
    }
    output.flush();
    return 0;
  }

  /** The file, then its objects. A long one has very many. */
  private void print(Mount mount, Child child, Entry.OfFile file) {
    FileData data = file.data();
    output.object(
        EntryText.fields(target.location(), child.path(), file)
            .with("crc32c", String.format("%08x", file.crc32c()))
            .with("objects", data.stripes()));
    String pool = RadosObjects.pool(mount, file);
    for (int k = 0; k < data.stripes(); k++) {
      long offset = (long) k * data.objectSize();
      output.object(
          new Fields()
              .with("type", "object")
              .with("path", child.path().toString())
              .with("offset", offset)
              .with("length", Math.min(data.objectSize(), data.length() - offset))
              .with("pool", pool)
              .with("namespace", mount.authority().namespace())
              .with("object", data.stripe(k)));
    }
  }
}
