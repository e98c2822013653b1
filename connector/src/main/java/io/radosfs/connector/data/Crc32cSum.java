// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.io.IOException;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.CrcUtil;
import org.apache.hadoop.util.DataChecksum;

/** The CRC-32C of a whole, of those of its parts in their order. Not thread-safe. */
final class Crc32cSum {

  private int sum;

  /**
   * Adds the part that comes after all others so far. By Hadoop's CrcComposer, as the functions of
   * CrcUtil have other parameters in Hadoop 3.5.
   *
   * @throws IOException never; Hadoop's method declares it
   */
  void add(int crc32c, long length) throws IOException {
    if (length > 0) {
      CrcComposer both = CrcComposer.newCrcComposer(DataChecksum.Type.CRC32C, length);
      // The length of what is before does not matter.
      both.update(sum, 1);
      both.update(crc32c, length);
      sum = CrcUtil.readInt(both.digest(), 0);
    }
  }

  int crc32c() {
    return sum;
  }
}
