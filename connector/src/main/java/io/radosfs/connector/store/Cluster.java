// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;

/**
 * A connection to a Ceph cluster, from which pools are opened.
 *
 * <p>Thread-safe. Closing it closes what librados holds; stores opened from it are closed first.
 */
public interface Cluster extends AutoCloseable {

  /**
   * Opens a namespace of a pool ({@code rados_ioctx_create}, {@code rados_ioctx_set_namespace}). No
   * message to an OSD.
   *
   * @param namespace empty for the default one
   * @throws StoreException NOT_FOUND when there is no such pool
   */
  ObjectStore open(String pool, String namespace) throws IOException;

  /**
   * Whether an operation of this connection was answered {@code BLOCKLISTED}. The connection is
   * then cut off for good, also when the cluster takes the entry off its list again: stores opened
   * from it send nothing more and refuse every operation so. What was begun on it ends with it; who
   * wants to go on connects anew. No cost.
   */
  boolean isBlocklisted();

  /**
   * By which address the cluster knows this connection: as {@code ceph osd blocklist} takes and
   * shows it ({@code rados_getaddrs}). No cost.
   */
  String address() throws IOException;

  /** The cluster's fsid ({@code rados_cluster_fsid}). */
  String fsid() throws IOException;

  @Override
  void close() throws IOException;
}
