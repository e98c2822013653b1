// SPDX-License-Identifier: Apache-2.0
/**
 * Removes directories with shards, by a transaction that is decided in the parent.
 *
 * <p>Cost: some five operations for each shard, plus those for the data.
 */
package io.radosfs.connector.transaction.removal;
