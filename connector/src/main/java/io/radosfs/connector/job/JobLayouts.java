// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.superblock.DataPools;
import java.io.IOException;
import java.util.Optional;

/**
 * Finds the layouts for new files of jobs. A file gets the layout of the directory that it will
 * appear in, as this process finds it when the job first writes there. Layouts are remembered, so a
 * further file costs no operation more than one outside of a job.
 *
 * <p>Thread-safe.
 */
public final class JobLayouts {

  private static final int REMEMBERED = 10_000;

  private final DataPools pools;
  private final DirectoryLayouts layouts;
  private final LruCache<String, Boolean> anyLayout = new LruCache<>(REMEMBERED);
  private final LruCache<Place, DataLayout> known = new LruCache<>(REMEMBERED);

  private record Place(String jobId, FsPath directory) {}

  public JobLayouts(DataPools pools, DirectoryLayouts layouts) {
    this.pools = pools;
    this.layouts = layouts;
  }

  /**
   * Returns the layout for a job's files in a directory, which may not be there yet. One read for
   * each job. If any directory of the file system has a layout, also the cost of {@link
   * DirectoryLayouts#inherited} for each directory.
   */
  DataLayout of(String jobId, FsPath directory) throws IOException {
    if (!anyLayout(jobId)) {
      return DataLayout.DEFAULT;
    }
    Place place = new Place(jobId, directory);
    Optional<DataLayout> found = known.get(place);
    if (found.isPresent()) {
      return found.get();
    }
    DataLayout inherited = layouts.inherited(directory);
    known.put(place, inherited);
    return inherited;
  }

  private boolean anyLayout(String jobId) throws IOException {
    Optional<Boolean> found = anyLayout.get(jobId);
    if (found.isPresent()) {
      return found.get();
    }
    boolean any = pools.anyLayout();
    anyLayout.put(jobId, any);
    return any;
  }
}
