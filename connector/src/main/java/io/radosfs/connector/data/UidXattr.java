// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import java.nio.charset.StandardCharsets;

/** The value of {@link FileData#UID_XATTR}: the uid's digits. */
final class UidXattr {

  private UidXattr() {}

  static byte[] value(FileData file) {
    return file.written().value().getBytes(StandardCharsets.UTF_8);
  }
}
