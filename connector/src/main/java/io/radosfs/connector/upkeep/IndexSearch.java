// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.job.FileSearch;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.Set;

/** {@link FileSearch} by {@link Leads}. */
public final class IndexSearch implements FileSearch {

  private final IndexReader reader;
  private final RetainedData retainedData;

  public IndexSearch(IndexReader reader, RetainedData retainedData) {
    this.reader = reader;
    this.retainedData = retainedData;
  }

  /**
   * What was replaced or deleted is retained, and a line of that does not go back to the index. So
   * the lists are read first: a few reads, where the index has some for each directory.
   */
  @Override
  public boolean leadsTo(Uid file) throws IOException {
    return retainedData.has(file) || isFound(file);
  }

  private boolean isFound(Uid file) throws IOException {
    IOException unknown =
        new IOException(
            "it could not be found out whether the file of uid " + file + " is still in use");
    FencedFiles files =
        new FencedFiles(Set.of(file), Set.of(), (subject, why) -> unknown.addSuppressed(why));
    boolean certain = Leads.inIndex(reader, retainedData, files);
    if (files.none()) {
      return true;
    }
    if (!certain || files.isUncertain()) {
      throw unknown;
    }
    return false;
  }
}
