// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import org.opentest4j.TestAbortedException;

/** Keys of both types, in a cluster of the test's own that can be told which it takes. */
public final class TypedKeys {

  /** What every librados reads. */
  public static final String OLDER = "aes";

  /** What Ceph makes by itself from 19.2.6 and 20.2.4 on, and librados reads from there on. */
  public static final String NEWER = "aes256k";

  private static final int FIRST_RELEASE = 20;

  private final OwnCephCluster cluster;

  private TypedKeys(OwnCephCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts a cluster, of one OSD.
   *
   * @throws TestAbortedException if the release of the test's clusters has one type of keys
   */
  public static TypedKeys start() {
    if (OwnCephCluster.release() < FIRST_RELEASE) {
      throw new TestAbortedException(
          "clusters of Ceph %d have one type of keys: run this with scripts/test --ceph-release %d"
              .formatted(OwnCephCluster.release(), FIRST_RELEASE));
    }
    return new TypedKeys(OwnCephCluster.start(1));
  }

  public OwnCephCluster cluster() {
    return cluster;
  }

  /** Has the cluster take and make keys of both types; by itself, it makes the newer. */
  public void takeBoth() {
    cluster.cephAsMonitor("mon", "set", "auth_allowed_ciphers", OLDER + "," + NEWER);
    makeByItself(NEWER);
    makeOlder(true);
  }

  /** As Ceph makes a cluster. */
  public void takeNewerOnly() {
    cluster.cephAsMonitor("mon", "set", "auth_allowed_ciphers", NEWER);
    makeOlder(false);
  }

  public void makeByItself(String type) {
    cluster.cephAsMonitor("mon", "set", "auth_preferred_cipher", type);
  }

  private void makeOlder(boolean allowed) {
    cluster.cephAsMonitor(
        "config", "set", "mon", "mon_auth_allow_insecure_key", Boolean.toString(allowed));
  }

  /** Makes a user of one pool, with a key of that type. */
  public void makeUser(String entity, String pool, String type) {
    cluster.cephAsMonitor(
        "auth", "get-or-create", entity, "mon", "allow r", "osd", "allow rw pool=" + pool);
    rotate(entity, type);
  }

  /** Gives a user a new key; the old one is worth nothing then. */
  public void rotate(String entity, String type) {
    cluster.cephAsMonitor("auth", "rotate", entity, "--key_type", type);
  }

  public String key(String entity) {
    return cluster.cephAsMonitor("auth", "print-key", entity).strip();
  }
}
