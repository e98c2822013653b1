// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.mount.Mount;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows an entry of the index, and where its bytes are. */
@Command(
    name = "stat",
    description = "Shows what the index holds of a file or directory, and its RADOS objects.")
final class StatCommand implements Callable<Integer> {

  private static final int SHOWN = 10;

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Override
  public Integer call() throws IOException {
    Table table = new Table();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      Entry entry =
          mount
              .namespace()
              .lookup(target.path())
              .orElseThrow(() -> new FileNotFoundException("no such file: " + target));
      describe(table, entry, mount);
    }
    table.print(spec.commandLine().getOut());
    return 0;
  }

  private void describe(Table table, Entry entry, Mount mount) throws IOException {
    table.row("path", target);
    table.row("type", entry instanceof Entry.OfFile ? "file" : "directory");
    Attributes attributes = entry.attributes();
    String pool = mount.authority().pool();
    if (entry instanceof Entry.OfFile file) {
      FileData data = file.data();
      table.row("length", data.length());
      table.row("object size", data.objectSize());
      table.row("crc32c", String.format("%08x", file.crc32c()));
      table.row("written as", data.origin());
      pool = data.pool().or(mount.superblock()::dataPool).orElse(pool);
    }
    table.row("modified", Instant.ofEpochMilli(attributes.modified()));
    table.row("permission", String.format("%04o", attributes.permission()));
    table.row("owner", attributes.owner());
    table.row("group", attributes.group());
    table.row("uid", entry.uid());
    if (entry instanceof Entry.OfDirectory) {
      table.row("new files", LayoutCommand.describe(mount, mount.layouts().of(target.path())));
    }
    table.row("pool", pool);
    if (!mount.authority().namespace().isEmpty()) {
      table.row("namespace", mount.authority().namespace());
    }
    Objects.Named objects = Objects.of(mount, target.path(), entry);
    objects.names().limit(SHOWN).forEach(name -> table.row("object", name));
    if (objects.count() > SHOWN) {
      table.row("", "… and " + (objects.count() - SHOWN) + " more: radosfs objects " + target);
    }
  }
}
