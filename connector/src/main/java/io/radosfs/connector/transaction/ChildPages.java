package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.Entry;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The children of a directory, some at a time. All that is handed out is the state of one instant
 * as far as transactions go (I5). For one thread.
 */
@FunctionalInterface
public interface ChildPages {

  /**
   * The next children by name, at least one; empty when there are no more.
   *
   * @throws org.apache.hadoop.fs.PathIOException when a transaction has changed what was handed out
   *     already, so that the rest would be of another instant
   */
  Optional<SortedMap<String, Entry>> next() throws IOException;
}
