// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A status that knows where the file's data is, so that opening the file and locating its blocks
 * needs no look-up. Serialization loses this knowledge.
 *
 * <p>Equality is Hadoop's: by the path alone.
 */
public final class RadosFileStatus extends LocatedFileStatus implements EtagSource {

  private static final long serialVersionUID = 1L;

  private final transient Entry entry;
  private final transient BlockLocations locations;
  private final String etag;

  RadosFileStatus(Path path, Entry entry, long blockSize, BlockLocations locations) {
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
        null,
        path,
        null);
    this.entry = entry.withAttributes(entry.attributes().withoutXattrs());
    this.locations = locations;
    this.etag = entry.uid().value();
  }

  /**
   * The entry in the index, without extended attributes, as users may hold very many statuses;
   * empty if the status was serialized.
   */
  Optional<Entry> entry() {
    return Optional.ofNullable(entry);
  }

  /** The uid: new with every file written, kept by rename. */
  @Override
  public String getEtag() {
    return etag;
  }

  /** Located on this call; at {@code localhost} if the status was serialized. */
  @Override
  public BlockLocation[] getBlockLocations() {
    return entry instanceof Entry.OfFile file && locations != null
        ? locations.of(file, 0, getLen())
        : BlockLocations.nowhere(getLen());
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
