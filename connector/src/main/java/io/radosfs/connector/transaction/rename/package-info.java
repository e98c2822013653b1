// SPDX-License-Identifier: Apache-2.0
/**
 * Renames files and directory trees if more than one index is concerned, by a transaction that is
 * decided in the destination's parent. Finishes renames that other clients left.
 *
 * <p>Cost: five writes for a file; for a tree one more, and four for each directory of it.
 */
package io.radosfs.connector.transaction.rename;
