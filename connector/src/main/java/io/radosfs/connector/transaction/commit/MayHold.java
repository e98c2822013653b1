// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

/**
 * What may be in a directory when a transaction locks it.
 *
 * @param jobs which ones may be registered there
 * @param deletions whether it may list deferred deletions
 */
record MayHold(JobsThere jobs, boolean deletions) {

  /**
   * The old index of a moved directory goes as it is, and would take along all that it leads to.
   */
  static final MayHold MOVED = new MayHold(JobsThere.NONE, false);

  /** Whoever deletes the index of a removed directory carries out what it lists first. */
  static MayHold removed(JobsThere jobs) {
    return new MayHold(jobs, true);
  }
}
