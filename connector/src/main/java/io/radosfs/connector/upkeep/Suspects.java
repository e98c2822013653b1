// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;

/** What nothing may lead to any more. Told of all that leads somewhere, it clears what is meant. */
interface Suspects {

  /** Whether all are cleared, so that nothing more need be read. */
  boolean none();

  /** Whether nothing can be said of the rest any more, so that reading is in vain. */
  boolean inVain();

  /** Something leads to all objects of this file. */
  void file(FileData data) throws IOException;

  /** Something leads to all objects of the file of this uid, wherever they are. */
  void file(Uid uid);

  /** Something leads to this object of the index' pool. */
  void object(String name) throws IOException;

  /**
   * Something cannot be read, and does not say what it leads to.
   *
   * @throws IOException when the reading is to end
   */
  void unreadable(String subject, IOException why) throws IOException;
}
