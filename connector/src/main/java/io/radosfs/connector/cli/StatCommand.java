// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows an entry of the index, and where its bytes are. */
@Command(
    name = "stat",
    header = "Shows what the index holds of a file or directory.",
    description = "Shows what the index holds of a file or directory, and its RADOS objects.")
final class StatCommand implements Callable<Integer> {

  private static final int SHOWN = 10;

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  /**
   * What is shown.
   *
   * @param layout of new files, for a directory
   */
  private record Found(
      Mount mount,
      FsPath path,
      Entry entry,
      Optional<DataLayout> layout,
      RadosObjects.Named objects) {}

  @Override
  public Integer call() throws IOException {
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      Entry entry = target.entry(mount);
      Optional<DataLayout> layout =
          entry instanceof Entry.OfDirectory
              ? Optional.of(mount.layouts().of(target.path()))
              : Optional.empty();
      Found found =
          new Found(
              mount, target.path(), entry, layout, RadosObjects.of(mount, target.path(), entry));
      output.print(() -> fields(found), out -> table(found).print(out));
    }
    output.flush();
    return 0;
  }

  private Table table(Found found) {
    Table table = new Table();
    Entry entry = found.entry();
    table.row("path", target);
    table.row("type", EntryText.type(entry));
    if (entry instanceof Entry.OfFile file) {
      FileData data = file.data();
      table.row("length", sizes.text(data.length()));
      table.row("object size", sizes.text(data.objectSize()));
      table.row("crc32c", String.format("%08x", file.crc32c()));
      table.row("written as", data.origin());
    }
    Attributes attributes = entry.attributes();
    table.row("modified", Instant.ofEpochMilli(attributes.modified()));
    table.row("permission", String.format("%04o", attributes.permission()));
    table.row("owner", attributes.owner());
    table.row("group", attributes.group());
    table.row("uid", entry.uid());
    found
        .layout()
        .ifPresent(
            layout -> table.row("new files", LayoutCommand.describe(found.mount(), layout, sizes)));
    table.row("pool", RadosObjects.pool(found.mount(), entry));
    String namespace = found.mount().authority().namespace();
    if (!namespace.isEmpty()) {
      table.row("namespace", namespace);
    }
    RadosObjects.Named objects = found.objects();
    objects.names().limit(SHOWN).forEach(name -> table.row("object", name));
    if (objects.count() > SHOWN) {
      table.row("", "… and " + (objects.count() - SHOWN) + " more: radosfs objects " + target);
    }
    return table;
  }

  private Fields fields(Found found) {
    Entry entry = found.entry();
    Fields fields = EntryText.fields(target.location(), found.path(), entry);
    if (entry instanceof Entry.OfFile file) {
      fields
          .with("objectSize", file.data().objectSize())
          .with("crc32c", String.format("%08x", file.crc32c()))
          .with("writtenAs", file.data().origin().toString());
    }
    fields
        .with("uid", entry.uid().toString())
        .with("pool", RadosObjects.pool(found.mount(), entry))
        .with("namespace", found.mount().authority().namespace())
        .with("objects", found.objects().count());
    found
        .layout()
        .ifPresent(
            layout -> fields.withAll("newFiles", LayoutCommand.fields(found.mount(), layout)));
    return fields;
  }
}
