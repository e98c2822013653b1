// SPDX-License-Identifier: Apache-2.0
/**
 * Rolls committed transactions forward, and others back, in one index object or a renamed tree.
 * Gives clients that want to change names a view in which no transaction holds the names.
 *
 * <p>Cost: only the read of the view if no transaction is met. Else a read of the coordinator, then
 * two writes and a read for up to 1,024 names.
 */
package io.radosfs.connector.transaction.resolve;
