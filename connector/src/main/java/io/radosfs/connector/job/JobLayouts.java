package io.radosfs.connector.job;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.DirectoryLayouts;
import io.radosfs.connector.superblock.DataPools;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

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
  private final Map<String, Boolean> anyLayout = new Remembered<>();
  private final Map<Place, DataLayout> known = new Remembered<>();

  private record Place(String jobId, FsPath directory) {}

  private static final class Remembered<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > REMEMBERED;
    }
  }

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
    synchronized (this) {
      DataLayout found = known.get(place);
      if (found != null) {
        return found;
      }
    }
    DataLayout inherited = layouts.inherited(directory);
    synchronized (this) {
      known.put(place, inherited);
    }
    return inherited;
  }

  private boolean anyLayout(String jobId) throws IOException {
    synchronized (this) {
      Boolean found = anyLayout.get(jobId);
      if (found != null) {
        return found;
      }
    }
    boolean any = pools.anyLayout();
    synchronized (this) {
      anyLayout.put(jobId, any);
    }
    return any;
  }
}
