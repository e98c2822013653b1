// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The status of a file or directory, without block locations, which are asked for separately.
 *
 * <p>Equality is Hadoop's: by the path alone.
 */
public final class RadosFileStatus extends FileStatus implements RadosStatus {

  private static final long serialVersionUID = 2L;

  private final transient Entry entry;
  private final String etag;

  RadosFileStatus(Path path, Entry entry, long blockSize) {
    super(
        entry instanceof Entry.OfFile file ? file.data().length() : 0,
        entry instanceof Entry.OfDirectory,
        entry instanceof Entry.OfFile ? 1 : 0,
        entry instanceof Entry.OfFile ? blockSize : 0,
        entry.attributes().modified(),
        0,
        new FsPermission((short) entry.attributes().permission()),
        entry.attributes().owner(),
        entry.attributes().group(),
        path);
    this.entry = entry.withAttributes(entry.attributes().withoutXattrs());
    this.etag = entry.uid().value();
  }

  @Override
  public Optional<Entry> entry() {
    return Optional.ofNullable(entry);
  }

  /** The uid: new with every file written, kept by rename. */
  @Override
  public String getEtag() {
    return etag;
  }
}
