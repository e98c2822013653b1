// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;

/**
 * A {@link RadosFileStatus} with the block locations at the time of the listing. Serialization
 * keeps the locations.
 */
final class LocatedRadosFileStatus extends LocatedFileStatus implements RadosStatus {

  private static final long serialVersionUID = 1L;

  private final transient Entry entry;
  private final String etag;

  LocatedRadosFileStatus(RadosFileStatus status, BlockLocation[] locations) {
    super(status, locations);
    this.entry = status.entry().orElse(null);
    this.etag = status.getEtag();
  }

  @Override
  public Optional<Entry> entry() {
    return Optional.ofNullable(entry);
  }

  @Override
  public String getEtag() {
    return etag;
  }
}
