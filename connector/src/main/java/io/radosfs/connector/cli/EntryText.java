// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.hadoop.fs.permission.FsPermission;

/** A file or directory, for display. */
final class EntryText {

  private EntryText() {}

  /** One word. */
  static String type(Entry entry) {
    return entry instanceof Entry.OfFile ? "file" : "directory";
  }

  /** The bytes of a file; 0 for a directory. */
  static long length(Entry entry) {
    return entry instanceof Entry.OfFile file ? file.data().length() : 0;
  }

  /** A line of a listing. The columns have fixed widths, as the lines to come are not known. */
  static String line(Location location, FsPath path, Entry entry, Sizes sizes) {
    Attributes attributes = entry.attributes();
    boolean isFile = entry instanceof Entry.OfFile;
    return String.format(
        "%s%s  %-10s %-10s %12s  %s  %s",
        isFile ? "-" : "d",
        new FsPermission((short) attributes.permission()),
        attributes.owner(),
        attributes.group(),
        isFile ? sizes.text(length(entry)) : "-",
        Instant.ofEpochMilli(attributes.modified()).truncatedTo(ChronoUnit.SECONDS),
        location.of(path));
  }

  static Fields fields(Location location, FsPath path, Entry entry) {
    Attributes attributes = entry.attributes();
    return new Fields()
        .with("uri", location.of(path))
        .with("path", path.toString())
        .with("type", type(entry))
        .with("length", length(entry))
        .withTime("modified", attributes.modified())
        .with("permission", String.format("%04o", attributes.permission()))
        .with("owner", attributes.owner())
        .with("group", attributes.group());
  }
}
