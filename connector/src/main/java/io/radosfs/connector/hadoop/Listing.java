// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.apache.hadoop.util.functional.RemoteIterators.filteringRemoteIterator;
import static org.apache.hadoop.util.functional.RemoteIterators.mappingRemoteIterator;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.operations.TreeWalk;
import java.util.function.Function;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;

/** Hadoop's iterators over a listing. */
public final class Listing {

  private Listing() {}

  public static RemoteIterator<FileStatus> all(RemoteIterator<RadosFileStatus> statuses) {
    return mappingRemoteIterator(statuses, status -> status);
  }

  public static RemoteIterator<LocatedFileStatus> located(
      RemoteIterator<RadosFileStatus> statuses, PathFilter filter) {
    return mappingRemoteIterator(
        filteringRemoteIterator(statuses, status -> filter.accept(status.getPath())),
        status -> status);
  }

  /** The files that a walk meets. */
  static RemoteIterator<LocatedFileStatus> files(
      TreeWalk walk, Function<Child, RadosFileStatus> toStatus) {
    return mappingRemoteIterator(
        filteringRemoteIterator(walk, child -> child.entry() instanceof Entry.OfFile),
        toStatus::apply);
  }
}
