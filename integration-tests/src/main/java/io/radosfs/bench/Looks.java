// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A reader of a directory: what one call of listStatus shows, as a query would take it. */
final class Looks {

  private final FileSystem fileSystem;
  private final Path directory;

  Looks(FileSystem fileSystem, Path directory) {
    this.fileSystem = fileSystem;
    this.directory = directory;
  }

  /** Names of data files; none where there is no directory. */
  Set<String> now() throws IOException {
    Set<String> names = new HashSet<>();
    try {
      for (FileStatus status : fileSystem.listStatus(directory)) {
        String name = status.getPath().getName();
        if (status.isFile() && name.startsWith("part-")) {
          names.add(name);
        }
      }
    } catch (FileNotFoundException e) {
      names.clear();
    }
    return names;
  }

  /** How many files there are below that no reader takes for data. */
  long hidden() throws IOException {
    long count = 0;
    try {
      RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(directory, true);
      while (files.hasNext()) {
        Path path = files.next().getPath();
        boolean ofData =
            path.getParent().getName().equals(directory.getName())
                && (path.getName().startsWith("part-") || path.getName().equals("_SUCCESS"));
        count += ofData ? 0 : 1;
      }
    } catch (FileNotFoundException e) {
      return 0;
    }
    return count;
  }

  /** Looks again and again while something is done, before it, and after it. */
  void during(Costs.Work work, Sights sights) throws Exception {
    sights.add(now());
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<Void> looking =
          reader.submit(
              () -> {
                while (!ended.get()) {
                  sights.add(now());
                }
                return null;
              });
      try {
        work.run();
      } finally {
        ended.set(true);
        looking.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the reader failed", e.getCause());
    } finally {
      reader.shutdownNow();
    }
    sights.add(now());
  }
}
