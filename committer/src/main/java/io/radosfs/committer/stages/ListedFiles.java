// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.committer.manifest.SuccessReport.ListedFile;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The files of a table as reports list them; each element is made on iteration. */
final class ListedFiles extends AbstractCollection<ListedFile> {

  private final FileTable files;

  ListedFiles(FileTable files) {
    this.files = files;
  }

  @Override
  public int size() {
    return files.files();
  }

  @Override
  public Iterator<ListedFile> iterator() {
    Iterator<FsPath> directories = files.directories().iterator();
    return new Iterator<>() {
      private FileTable.Cursor cursor;
      private int left = size();

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public ListedFile next() {
        if (left == 0) {
          throw new NoSuchElementException();
        }
        left--;
        while (cursor == null || !cursor.next()) {
          cursor = files.cursor(directories.next());
        }
        Entry.OfFile file = cursor.file();
        return new ListedFile(
            cursor.path().toString(), file.data().length(), String.format("%08x", file.crc32c()));
      }
    };
  }
}
