// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

/** What a machine must have to connect, each as far as those before it are there. */
public enum LocalNeed {
  /** librados, and JNA's native part. */
  LIBRARY,
  /** A ceph.conf that names monitors. */
  CONFIGURATION,
  /** The key of the Ceph user. */
  KEY
}
