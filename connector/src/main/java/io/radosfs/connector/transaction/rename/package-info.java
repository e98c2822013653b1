// SPDX-License-Identifier: Apache-2.0
/**
 * Gives files and directory trees another name where more than one index is concerned, by a
 * transaction that is decided in the destination's parent; and finishes what others left of it.
 *
 * <p>Cost: five writes for a file; for a tree one more, and three for each directory in it.
 */
package io.radosfs.connector.transaction.rename;
