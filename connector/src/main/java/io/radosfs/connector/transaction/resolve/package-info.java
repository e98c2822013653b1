// SPDX-License-Identifier: Apache-2.0
/**
 * Rolls decided transactions forward, and aborted ones back, in one index object or a renamed tree;
 * and gives those that want to change names views in which no transaction is in their way.
 *
 * <p>Cost: nothing but the view's own read where no transaction is met. Else a read of the
 * coordinator, then two writes and a read for up to 1,024 names.
 */
package io.radosfs.connector.transaction.resolve;
