// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.FirstFailure;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * What could not be deleted, of all that directories list, while a transaction was resolved in
 * them. Others may have listed it, and it may be for ever: damage, or a pool without rights. It
 * stays listed, and does not keep the transaction from its end.
 *
 * <p>Thread-safe.
 */
final class Undeleted {

  private static final int MOST_NAMED = 10;

  private final FirstFailure failure = new FirstFailure();
  private final Set<FsPath> directories = new TreeSet<>();

  /**
   * Deletes what a directory lists, as far as that is possible now.
   *
   * @throws IOException if nothing more is to be tried ({@link FirstFailure#isEnd})
   */
  void tryToDelete(FsPath directory, InvocationRaisingIOE deletion) throws IOException {
    FirstFailure own = new FirstFailure();
    own.attempt(deletion);
    if (own.isEnd()) {
      own.rethrow();
    }
    own.first().ifPresent(thrown -> add(directory, thrown));
  }

  private synchronized void add(FsPath directory, Throwable thrown) {
    directories.add(directory);
    failure.add(thrown);
  }

  /** Whether the directory above this one lists what could not be deleted. */
  synchronized boolean isListedAbove(FsPath directory) {
    return !directory.isRoot() && directories.contains(directory.parent());
  }

  /** The directories that list it: the first ones, and how many there are more. */
  @Override
  public synchronized String toString() {
    String first =
        directories.stream()
            .limit(MOST_NAMED)
            .map(FsPath::toString)
            .collect(Collectors.joining(", "));
    int more = directories.size() - MOST_NAMED;
    return more > 0 ? first + " and " + more + " directories more" : first;
  }

  /** The first failure, with some of the others suppressed; empty if all was deleted. */
  synchronized Optional<Throwable> failure() {
    return failure.first();
  }
}
