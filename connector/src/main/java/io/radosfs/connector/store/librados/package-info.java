// SPDX-License-Identifier: Apache-2.0
/**
 * The object store interface on librados, Ceph's own client library.
 *
 * <p>{@link io.radosfs.connector.store.librados.LibradosCluster} connects; rados-java gives it the
 * cluster handle and the pool handles. Compound operations, asynchronous operations and the omap,
 * which are missing in rados-java, go through {@code LibRados}, a JNA direct mapping of our own: a
 * call costs about 150 ns, and strings cross as NUL-terminated UTF-8 whatever the locale.
 *
 * <p>Every operation is asynchronous below: {@code PendingOp} owns what it holds in native memory
 * until librados calls back, whoever still waits for it; {@code Completions} is the one callback.
 */
package io.radosfs.connector.store.librados;
