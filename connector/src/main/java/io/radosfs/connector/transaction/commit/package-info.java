// SPDX-License-Identifier: Apache-2.0
/**
 * Commits: prepares a transaction in all directories concerned, locks those that it removes or
 * moves whole, decides it in its coordinator, and has it resolved.
 *
 * <p>Cost: one write if all is in the coordinator; else one write to prepare and one to apply for
 * each new directory, two reads and a write more for an old one, and a read and a write to decide.
 * A directory that is locked takes a read and a write for each of its objects.
 */
package io.radosfs.connector.transaction.commit;
