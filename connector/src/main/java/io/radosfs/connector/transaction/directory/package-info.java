// SPDX-License-Identifier: Apache-2.0
/**
 * Makes directories, and opens their indexes so that names can be added.
 *
 * <p>Cost: one read if the index is open. To make a directory, a read and a write in its parent; to
 * open its index if it has none, four reads and two writes, and a line in the ledger of the process
 * (I4).
 */
package io.radosfs.connector.transaction.directory;
