// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.bench.works.JobData;
import io.radosfs.workbench.CephCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Empties the caches that a read of the disk may be answered from: the page cache of this machine,
 * which root may, and the OSDs' own.
 */
final class ColdCaches {

  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  private final CephCli ceph;

  ColdCaches(CephCli ceph) {
    this.ceph = ceph;
  }

  /** Whether this process may empty the page cache. */
  boolean canDrop() {
    return Files.isWritable(DROP);
  }

  void drop() throws IOException, InterruptedException {
    JobData.quiesce();
    for (JsonNode osd : ceph.ceph("osd", "ls")) {
      JsonNode unused = ceph.ceph("tell", "osd." + osd.asInt(), "cache", "drop");
    }
    Files.writeString(DROP, "3");
  }
}
