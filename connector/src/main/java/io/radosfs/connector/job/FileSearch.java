// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Uid;
import java.io.IOException;

/** Finds out whether a file is in use, wherever it was renamed to. */
@FunctionalInterface
public interface FileSearch {

  /**
   * Whether anything leads to the objects of a file at this instant: an entry, or what keeps the
   * data of a replaced file. For files that nobody can publish any more: then false stays false.
   * Reads the whole index.
   *
   * @throws IOException also if that cannot be found out, as something unreadable may lead to it,
   *     or as names keep being renamed
   */
  boolean leadsTo(Uid file) throws IOException;
}
