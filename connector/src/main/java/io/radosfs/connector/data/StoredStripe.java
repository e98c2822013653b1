// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What RADOS holds of one object of a file, as checks look at it: one read, and no data crosses the
 * network.
 *
 * @param uid the file's, if it is the first stripe
 * @param owner the file that was made of its data since, if there is one
 * @param recorded the CRC-32C that the writer recorded, in hexadecimal, if it did
 * @param crc32c of the data as it is now, if it was asked for
 */
public record StoredStripe(
    long length,
    Optional<String> uid,
    Optional<String> owner,
    Optional<String> recorded,
    OptionalInt crc32c) {

  private static final int CRC32C_STEP = 4;

  /**
   * Returns the read of an object.
   *
   * @param content whether the OSD is to read all data and take its checksum
   */
  public static ReadOp read(boolean content) {
    ReadOp.Builder op =
        ReadOp.builder()
            .size()
            .xattr(FileData.UID_XATTR)
            .xattr(FileData.OWNER_XATTR)
            .xattr(FileData.CRC32C_XATTR);
    return content ? op.crc32c().build() : op.build();
  }

  /** The answer to {@link #read}. */
  public static StoredStripe of(ReadResult result) {
    return new StoredStripe(
        result.bytes(0),
        result.xattr(1).map(StoredStripe::text),
        result.xattr(2).map(StoredStripe::text),
        result.xattr(3).map(StoredStripe::text),
        result.steps().size() > CRC32C_STEP
            ? OptionalInt.of(result.crc32c(CRC32C_STEP))
            : OptionalInt.empty());
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
