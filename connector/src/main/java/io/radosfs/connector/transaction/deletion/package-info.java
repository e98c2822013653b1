// SPDX-License-Identifier: Apache-2.0
/**
 * Carries out deletions that were listed in the operation that took something out of the index: of
 * files' data, and of directories that are closing.
 *
 * <p>Cost: one read where nothing is listed; else the removals of the data, and one write for what
 * was listed of up to 1,024 names.
 */
package io.radosfs.connector.transaction.deletion;
