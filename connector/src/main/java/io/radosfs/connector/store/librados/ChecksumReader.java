// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadResult;

/**
 * A step that returns the CRC-32C of all data ({@code rados_read_op_checksum}, with offset, length
 * and size of chunks 0: the whole object in one).
 *
 * <p>The OSD begins with the value that it is given and inverts nothing, so it is given ones, and
 * its result is inverted here. It answers two little-endian words: how many checksums there are,
 * which is none for an object without data, and the checksum.
 */
final class ChecksumReader implements StepReader {

  private static final int ONES = -1;

  private final NativeArena arena;
  private final long answer;
  private final long prval;

  ChecksumReader(long op, NativeArena arena) {
    this.arena = arena;
    this.answer = arena.allocateZeroedLong();
    this.prval = arena.allocateZeroedLong();
    long begin = arena.copy(new byte[] {-1, -1, -1, -1});
    LibRados.rados_read_op_checksum(
        op, LibRados.CHECKSUM_CRC32C, begin, Integer.BYTES, 0, 0, 0, answer, Long.BYTES, prval);
  }

  @Override
  public int returnValue() {
    return arena.getInt(prval);
  }

  @Override
  public ReadResult.StepResult result() {
    long words = arena.getLong(answer);
    int count = (int) words;
    int checksum = count == 0 ? ONES : (int) (words >>> Integer.SIZE);
    return new ReadResult.Checksum(~checksum);
  }
}
