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
 * The layouts that files of jobs are written with: those of the directories that they will appear
 * in, as this process finds them when the job first writes there. They are not asked for again, so
 * that a file costs nothing more than elsewhere.
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
   * The layout for a job's files in a directory, which may not be there yet. One read for each job;
   * where any directory of the file system has a layout, {@link DirectoryLayouts#inherited} for
   * each directory.
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
