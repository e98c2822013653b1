// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;

/** What RADOS holds of a file's data, whatever an index says. */
public final class StoredData {

  private StoredData() {}

  /**
   * Whether the file's first stripe exists, and does not belong to another file of that name. One
   * read.
   *
   * @param store the store of the file's data pool
   */
  public static boolean isThere(ObjectStore store, FileData file) throws IOException {
    ReadOp whose =
        ReadOp.builder().compareXattr(FileData.UID_XATTR, UidXattr.value(file)).size().build();
    try {
      ReadResult unused = Reads.read(store, file.stripe(0), whose);
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }
}
