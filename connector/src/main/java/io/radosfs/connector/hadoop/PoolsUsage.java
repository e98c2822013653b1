// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import java.io.IOException;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.PathIsNotDirectoryException;

/** How full the pools of a file system are. */
record PoolsUsage(Mount mount) {

  /**
   * Returns the bytes used in all pools of the file system, and the bytes left in the pool of new
   * files at this place: in the cluster and within the pool's quota. One monitor command for each
   * pool, and two or more reads.
   *
   * @param place a directory, or a file in it; need not exist
   */
  FsStatus at(FsPath place) throws IOException {
    String wanted = mount.dataPool(layoutAt(place));
    long used = 0;
    long left = 0;
    for (ObjectStore pool : mount.pools()) {
      PoolUsage usage = pool.usage();
      used += usage.bytes();
      left = pool.pool().equals(wanted) ? usage.bytesAvailable() : left;
    }
    return new FsStatus(used + left, used, left);
  }

  private DataLayout layoutAt(FsPath place) throws IOException {
    try {
      return mount.layouts().inherited(place);
    } catch (PathIsNotDirectoryException e) {
      return mount.layouts().inherited(place.parent());
    }
  }
}
