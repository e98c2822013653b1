// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How the files of a job are checked before its transaction. */
public enum Validation {
  /** Not at all: each write was acknowledged, and checksums are recorded. */
  NONE,
  /** The first and the last object of each file: both exist, with its uid and the right size. */
  METADATA,
  /** All files are read and compared with their checksums. */
  CONTENT;

  private static final int AT_A_TIME = 10_000;

  /**
   * @throws org.apache.hadoop.fs.PathIOException naming a file that is not what its task wrote
   */
  void check(Job job, Selected selected) throws IOException {
    if (this == NONE) {
      return;
    }
    List<Entry.OfFile> some = new ArrayList<>();
    for (FsPath directory : selected.directories()) {
      for (FileTable.Cursor files = selected.files().cursor(directory); files.next(); ) {
        some.add(files.file());
        if (some.size() == AT_A_TIME) {
          job.fs().objects().check(some, this == CONTENT);
          some.clear();
        }
      }
    }
    job.fs().objects().check(some, this == CONTENT);
  }
}
