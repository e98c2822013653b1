// SPDX-License-Identifier: Apache-2.0
/**
 * Changes that span directories and take effect at one instant (I5). They are prepared in every
 * directory as write intents, decided by one operation on one object, then resolved by any client.
 *
 * <p>This package has the interface, {@link io.radosfs.connector.transaction.Transactions}, and its
 * types. The work is done in its rooms. Each uses those below it and none above:
 *
 * <pre>
 * rename      files and trees get another name
 * removal     directories with shards are removed
 * commit      prepare, decide
 * directory   directories are made, their indexes opened
 * deletion    what was taken out of the index is deleted
 * resolve     decided transactions are rolled forward or back
 * shard       the names of a large directory are spread
 * read        what a reader sees, what is stored
 * </pre>
 */
package io.radosfs.connector.transaction;
