// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.LargeAttributesProgram;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory whose files have so many bytes of extended attributes that all of them are more than
 * one operation may have (osd_max_write_size, 90 MB). It is renamed, listed, split, and deleted, in
 * a heap that does not hold it. {@code -Pdeep} for a gigabyte of them.
 */
class LargeAttributesIT {

  private static final Logger LOG = LoggerFactory.getLogger(LargeAttributesIT.class);

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");

  /** Of 16 KiB each, as they are stored. */
  private static final int FILES = DEEP ? 65_536 : 6_000;

  private static final int HEAP_MIB = DEEP ? 512 : 256;

  private final CephCluster ceph = CephCluster.shared();
  private String pool;

  @BeforeEach
  void createPool() {
    pool = ceph.createPool();
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  @Test
  void manyLargeAttributesInOneDirectory() throws IOException {
    String uri = "rados://" + pool + "/";
    LOG.info(
        "{}",
        ChildJvm.runInHeap(
            HEAP_MIB,
            LargeAttributesProgram.class,
            uri,
            ceph.conf().toString(),
            Integer.toString(FILES)));
    StringWriter out = new StringWriter();
    int status =
        Radosfs.run(
            new PrintWriter(out, true),
            new PrintWriter(out, true),
            "fsck",
            "--data",
            uri,
            "-Dfs.rados.ceph.conf=" + ceph.conf());
    assertThat(status).as(out.toString()).isZero();
    assertThat(new CephCli(ceph.conf()).objects(new PoolName(pool, "")))
        .as("what is left")
        .allMatch(object -> object.equals("/") || object.startsWith("//"));
  }
}
