// SPDX-License-Identifier: Apache-2.0
/**
 * The composition root: connects to a cluster and puts the parts of a file system together. Nothing
 * else knows librados.
 */
package io.radosfs.connector.mount;
