// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.radosfs.connector.data.RoundTripContract;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Striped files on a real Ceph, and how Ceph's own tools see them. */
class DataStreamsIT extends RoundTripContract {

  private static final int STRIPE = 4 << 20;

  private static CephCluster ceph;
  private static String pool;
  private static LibradosCluster cluster;
  private static ObjectStore replicated;

  private ObjectStore store = replicated;

  @BeforeAll
  static void connect() throws IOException {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    cluster =
        LibradosCluster.connect(
            ClusterSettings.builder()
                .confPath(ceph.conf().toString())
                .user(ceph.admin().id())
                .keyring(ceph.admin().keyring().toString())
                .build());
    replicated = cluster.open(pool, "");
  }

  @AfterAll
  static void disconnect() throws IOException {
    cluster.close();
    ceph.deletePool(pool);
  }

  @AfterEach
  void removeAll() {
    ceph.listObjects(pool).forEach(object -> ceph.rados(pool, "rm", object));
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected int rounds() {
    return 8;
  }

  @Override
  protected Collection<String> objects() {
    return ceph.listObjects(store.pool());
  }

  @Test
  void aFileOfOneStripeIsWhatRadosGetGives() throws IOException {
    byte[] content = content(1_000_000);
    FileData file = write(file(), content);
    assertThat(ceph.getObject(pool, "a/ü")).isEqualTo(content);
    assertThat(ceph.rados(pool, "getxattr", "a/ü", FileData.UID_XATTR).strip())
        .isEqualTo(file.uid().value());
  }

  @Test
  void anErasureCodedPoolWithoutOverwritesServes() throws IOException {
    Optional<String> erasureCoded = ceph.createErasureCodedPoolIfItCan();
    assumeTrue(erasureCoded.isPresent(), "an erasure-coded pool needs more OSDs");
    try {
      store = cluster.open(erasureCoded.get(), "");
      byte[] content = content(2 * STRIPE + 12_345);
      assertThat(read(write(file(), content))).isEqualTo(content);
      assertThat(read(write(file(), content))).as("name taken").isEqualTo(content);
      FileData inStripes = write(file(), content);
      assertThat(objects()).contains(inStripes.stripe(0), inStripes.stripe(2)).hasSize(9);
    } finally {
      store.close();
      ceph.deletePool(erasureCoded.get());
    }
  }

  private static FileData file() {
    return new FileData(new FsPath("a/ü"), Uid.random(), true, 0, STRIPE, Optional.empty());
  }

  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
