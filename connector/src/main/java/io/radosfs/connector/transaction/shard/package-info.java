// SPDX-License-Identifier: Apache-2.0
/**
 * Spreads the names of a large directory over several objects, while others use it.
 *
 * <p>Cost: a directory is counted now and then, by a read for each 1,024 names; a split takes two
 * writes and a read for each shard. Other changes cost nothing here.
 */
package io.radosfs.connector.transaction.shard;
