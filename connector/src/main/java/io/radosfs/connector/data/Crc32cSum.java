// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import org.apache.hadoop.util.CrcUtil;

/** The CRC-32C of a whole, of those of its parts in their order. Not thread-safe. */
final class Crc32cSum {

  private int sum;

  /** Adds the part that comes after all others so far. */
  void add(int crc32c, long length) {
    if (length > 0) {
      sum = CrcUtil.compose(sum, crc32c, length, CrcUtil.CASTAGNOLI_POLYNOMIAL);
    }
  }

  int crc32c() {
    return sum;
  }
}
