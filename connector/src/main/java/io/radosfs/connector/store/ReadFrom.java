// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

/** Which of an object's copies a read may be answered by; see {@link ReadOp#from()}. */
public enum ReadFrom {
  /** The primary's, which every operation that was answered before is in. */
  PRIMARY,

  /** Any, chosen at random for each read ({@code LIBRADOS_OPERATION_BALANCE_READS}). */
  BALANCED,

  /**
   * The one that CRUSH has nearest to this client, whose place is Ceph's option {@code
   * crush_location}, by default its host ({@code LIBRADOS_OPERATION_LOCALIZE_READS}).
   */
  NEAREST
}
