// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;

/** As much of Rook's objects ({@code ceph.rook.io/v1}) as the example has. */
final class RookObjects {

  private RookObjects() {}

  record BlockPool(String apiVersion, String kind, ObjectMeta metadata, PoolSpec spec) {}

  record PoolSpec(String failureDomain, String application, Replicated replicated) {}

  record Replicated(int size, Boolean requireSafeReplicaSize) {}

  record Client(String apiVersion, String kind, ObjectMeta metadata, ClientSpec spec) {}

  record ClientSpec(Map<String, String> caps, Security security) {}

  record Security(Cephx cephx) {}

  record Cephx(KeyType keyType) {}

  enum KeyType {
    aes,
    aes256k
  }
}
