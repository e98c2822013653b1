// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;

/** Objects that perhaps nothing leads to. A search clears those that it finds references to. */
interface Suspects {

  /** Whether all are cleared, so that the search can end. */
  boolean none();

  /** Whether nothing can be found out about the rest any more, so that the search can end. */
  boolean inVain();

  /** Something leads to all objects of this file. */
  void file(FileData data) throws IOException;

  /** Something leads to all objects of the file of this uid, wherever they are. */
  void file(Uid uid);

  /** A list of retained data leads to all objects of this file. */
  default void retained(FileData data) throws IOException {
    file(data);
  }

  /** Something leads to this object of the index pool. */
  void object(String name) throws IOException;

  /**
   * Something cannot be read, and does not say what it leads to.
   *
   * @throws IOException if the search must end
   */
  void unreadable(String subject, IOException why) throws IOException;
}
