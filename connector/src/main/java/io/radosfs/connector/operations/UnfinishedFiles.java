// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.layout.FsPath;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The files that this process is writing. Their attributes can be changed although nobody can see
 * them yet: Hadoop's {@code FileSystem.create(fs, path, permission)} sets the permission of a file
 * that it has created but not closed. A file whose stream is dropped unclosed is forgotten with it.
 *
 * <p>No RADOS operation. Thread-safe.
 */
final class UnfinishedFiles {

  private final Set<IndexPublisher> files = Collections.newSetFromMap(new WeakHashMap<>());

  synchronized void add(IndexPublisher file) {
    files.add(file);
  }

  synchronized void remove(IndexPublisher file) {
    files.remove(file);
  }

  /** The files of that path. */
  synchronized List<IndexPublisher> at(FsPath path) {
    return files.stream().filter(file -> file.path().equals(path)).toList();
  }
}
