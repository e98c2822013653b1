// SPDX-License-Identifier: Apache-2.0
/**
 * The object store interface on librados, Ceph's own client library.
 *
 * <p>{@link io.radosfs.connector.store.librados.LibradosCluster} connects, with the cluster handle
 * and the pool handles of rados-java. Compound operations, asynchronous operations and the omap are
 * missing in rados-java. They go through {@code LibRados}, a JNA direct mapping of our own: a call
 * costs about 150 ns, and strings cross as NUL-terminated UTF-8 whatever the locale.
 *
 * <p>Every operation is asynchronous below. {@code PendingOp} owns its native memory until librados
 * calls back, whoever still waits for it; {@code Completions} is the one callback.
 */
package io.radosfs.connector.store.librados;
