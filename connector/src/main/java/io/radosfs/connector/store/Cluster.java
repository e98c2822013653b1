// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A connection to a Ceph cluster, from which pools are opened.
 *
 * <p>Thread-safe. Closing it first closes the stores that it opened, then what librados holds.
 */
public interface Cluster extends AutoCloseable {

  /**
   * Opens a namespace of a pool ({@code rados_ioctx_create}, {@code rados_ioctx_set_namespace}). No
   * message to an OSD.
   *
   * @param namespace empty for the default one
   * @throws StoreException NOT_FOUND if there is no such pool
   */
  ObjectStore open(String pool, String namespace) throws IOException;

  /**
   * Whether an operation of this connection was answered {@code BLOCKLISTED}. The connection is
   * then cut off for good, even if the cluster removes the entry from its blocklist: its stores
   * send nothing more and refuse every operation with {@code BLOCKLISTED}. Operations that were
   * begun fail. To go on, a client opens a new connection. No cost.
   */
  boolean isBlocklisted();

  /**
   * The address by which the cluster knows this connection, in the form that {@code ceph osd
   * blocklist} takes and shows ({@code rados_getaddrs}). No cost.
   */
  String address() throws IOException;

  /**
   * The number n of {@code client.n}, as which monitors and OSDs know this connection: in the
   * sessions of a monitor, and in the list of operations of an OSD ({@code rados_get_instance_id}).
   * Empty if there is no such name. No cost.
   */
  default OptionalLong clientId() throws IOException {
    return OptionalLong.empty();
  }

  /** The cluster's fsid ({@code rados_cluster_fsid}). */
  String fsid() throws IOException;

  /**
   * What the monitors tell of the cluster. One command ({@code status}), for which {@code mon
   * 'allow r'} suffices; no message to an OSD.
   */
  ClusterStatus status() throws IOException;

  /**
   * The key of the user as whom this is connected, as this process sees it; empty if it has none,
   * or cannot tell. It must never be shown or logged. Reads a file at most; no message.
   */
  default Optional<String> userKey() throws IOException {
    return Optional.empty();
  }

  @Override
  void close() throws IOException;
}
