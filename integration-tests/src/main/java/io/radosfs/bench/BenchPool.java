// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;

/** A pool of a part's own, which is removed with what it holds. */
record BenchPool(CephCli ceph, PoolName name) implements AutoCloseable {

  private static final String PLACEMENT_GROUPS = "16";

  /**
   * Makes one that is not there yet.
   *
   * @param copies of each object
   */
  static BenchPool create(CephCli ceph, String name, int copies) throws IOException {
    for (JsonNode pool : ceph.ceph("osd", "pool", "ls")) {
      if (pool.asText().equals(name)) {
        throw new IOException("there is a pool " + name + " already: remove it, if nobody uses it");
      }
    }
    run(ceph, "osd", "pool", "create", name, PLACEMENT_GROUPS);
    BenchPool pool = new BenchPool(ceph, new PoolName(name, ""));
    try {
      if (copies == 1) {
        run(ceph, "osd", "pool", "set", name, "size", "1", "--yes-i-really-mean-it");
      } else {
        run(ceph, "osd", "pool", "set", name, "size", Integer.toString(copies));
      }
      run(ceph, "osd", "pool", "application", "enable", name, "radosfs");
    } catch (IOException e) {
      pool.close();
      throw e;
    }
    return pool;
  }

  private static void run(CephCli ceph, String... arguments) throws IOException {
    JsonNode unused = ceph.ceph(arguments);
  }

  @Override
  public void close() throws IOException {
    String pool = name.pool();
    run(ceph, "osd", "pool", "rm", pool, pool, "--yes-i-really-really-mean-it");
  }
}
