// SPDX-License-Identifier: Apache-2.0
/**
 * RADOS as the connector sees it: objects with data, xattrs and an omap. Compound operations read
 * and change them, each atomic for one object.
 *
 * <p>{@link io.radosfs.connector.store.ObjectStore} is the only way to RADOS. It has two
 * implementations: librados, and the deterministic simulation in the test jar.
 */
package io.radosfs.connector.store;
