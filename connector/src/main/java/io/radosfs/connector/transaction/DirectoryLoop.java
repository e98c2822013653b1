package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.FirstFailure;
import java.io.IOException;
import java.util.Collection;

/**
 * How work on many directories is run: one after another, or several at a time. Every directory is
 * tried even where another fails; then the first failure is thrown, with the others suppressed.
 */
@FunctionalInterface
public interface DirectoryLoop {

  /** Work on one directory. */
  @FunctionalInterface
  interface Work {
    void on(FsPath directory) throws IOException;
  }

  void run(Collection<FsPath> directories, Work work) throws IOException;

  /** One after another, in the calling thread. */
  static DirectoryLoop sequential() {
    return (directories, work) -> {
      FirstFailure failure = new FirstFailure();
      for (FsPath directory : directories) {
        failure.attempt(() -> work.on(directory));
      }
      failure.rethrow();
    };
  }
}
