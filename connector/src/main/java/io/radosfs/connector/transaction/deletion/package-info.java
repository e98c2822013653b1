// SPDX-License-Identifier: Apache-2.0
/**
 * Carries out deferred deletions, listed in the operation that took something out of the index: of
 * files' data, and of directories that are closing.
 *
 * <p>Cost: one read if nothing is listed; else the removals of the data, and one write for up to
 * 1,024 listed names.
 */
package io.radosfs.connector.transaction.deletion;
