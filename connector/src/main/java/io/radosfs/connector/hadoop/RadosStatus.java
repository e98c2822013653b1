// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import java.util.Optional;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;

/**
 * A status that knows where the file's data is, so that opening the file and locating its blocks
 * needs no look-up. Serialization loses this knowledge, but not the etag.
 *
 * <p>A status refers to nothing of the mount: engines hold very many of them, and estimate their
 * size by walking all that they reach.
 */
sealed interface RadosStatus extends EtagSource permits RadosFileStatus, LocatedRadosFileStatus {

  /** The entry in the index, without extended attributes; empty if the status was serialized. */
  Optional<Entry> entry();

  /** The entry that a status knows; empty if it is not one of this file system's. */
  static Optional<Entry> entryOf(FileStatus status) {
    return status instanceof RadosStatus ours ? ours.entry() : Optional.empty();
  }
}
