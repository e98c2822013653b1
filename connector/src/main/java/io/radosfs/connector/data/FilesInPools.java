// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/** Iterates over the files whose pool exists. Nothing is left of the others. */
final class FilesInPools implements Iterator<FileData> {

  private final Iterator<FileData> files;
  private final DataStores stores;
  private final Consumer<FileData> gone;
  private FileData next;

  /**
   * @param gone called with each file whose pool is not in the cluster
   */
  FilesInPools(Iterator<FileData> files, DataStores stores, Consumer<FileData> gone) {
    this.files = files;
    this.stores = stores;
    this.gone = gone;
  }

  @Override
  public boolean hasNext() {
    while (next == null && files.hasNext()) {
      FileData file = files.next();
      if (isGone(stores, file)) {
        gone.accept(file);
      } else {
        next = file;
      }
    }
    return next != null;
  }

  @Override
  public FileData next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    FileData file = next;
    next = null;
    return file;
  }

  /** Whether the file's pool is not in the cluster. The removal will report any other failure. */
  static boolean isGone(DataStores stores, FileData file) {
    try {
      ObjectStore unused = stores.of(file);
      return false;
    } catch (NoSuchPoolException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
