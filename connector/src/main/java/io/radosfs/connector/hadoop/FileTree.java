// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.apache.hadoop.util.functional.RemoteIterators.remoteIteratorFromIterable;

import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.job.WorkPath;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.AttributeChange;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.Failures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The tree of names as a Hadoop user sees it: the namespace, and under work paths the files that
 * tasks have written.
 */
final class FileTree {

  private final Namespace namespace;
  private final WorkFiles work;
  private final HadoopRename rename;

  FileTree(Namespace namespace, WorkFiles work, Retries retries) {
    this.namespace = namespace;
    this.work = work;
    this.rename = new HadoopRename(namespace, retries);
  }

  Optional<Entry> lookup(FsPath path) throws IOException {
    Optional<WorkPath> workPath = WorkPath.parse(path);
    return workPath.isPresent() ? work.lookup(workPath.get()) : namespace.lookup(path);
  }

  /**
   * @throws FileNotFoundException when there is nothing at the path
   */
  Entry require(FsPath path) throws IOException {
    return lookup(path)
        .orElseThrow(() -> new FileNotFoundException("No such file or directory: " + path));
  }

  List<Namespace.Child> list(FsPath path) throws IOException {
    Optional<WorkPath> workPath = WorkPath.parse(path);
    return workPath.isPresent() ? work.list(workPath.get()) : namespace.list(path);
  }

  /** The same as {@link #list}, as an iterator; see {@link Namespace#listing}. */
  RemoteIterator<Namespace.Child> listing(FsPath path) throws IOException {
    Optional<WorkPath> workPath = WorkPath.parse(path);
    return workPath.isPresent()
        ? remoteIteratorFromIterable(work.list(workPath.get()))
        : namespace.listing(path);
  }

  /**
   * Makes a directory that may exist already.
   *
   * @param createParent whether missing parents are made too
   */
  void mkdirs(FsPath path, Attributes attributes, boolean createParent) throws IOException {
    if (WorkPath.parse(path).isPresent()) {
      return; // all directories under a work path are assumed to exist
    }
    if (createParent) {
      namespace.mkdirs(path, attributes);
    } else {
      namespace.mkdir(path, attributes);
    }
  }

  /** See {@link Namespace#delete}: for the root, its content is deleted. */
  boolean delete(FsPath path, boolean recursive) throws IOException {
    Optional<WorkPath> workPath = WorkPath.parse(path);
    if (workPath.isPresent()) {
      return work.delete(workPath.get(), recursive);
    }
    return namespace.delete(path, recursive);
  }

  /**
   * See {@link Namespace#deleteAll}; below work paths one by one.
   *
   * @throws IOException if RADOS did not answer for one of those in all its time
   */
  Map<FsPath, IOException> deleteAll(Collection<FsPath> paths) throws IOException {
    List<FsPath> inTheNamespace = new ArrayList<>();
    Map<FsPath, IOException> failures = new LinkedHashMap<>();
    for (FsPath path : paths) {
      Optional<WorkPath> workPath = WorkPath.parse(path);
      if (workPath.isEmpty()) {
        inTheNamespace.add(path);
        continue;
      }
      try {
        boolean unused = work.delete(workPath.get(), false);
      } catch (IOException e) {
        if (Failures.hasWaitedInFull(e)) {
          throw e;
        }
        failures.put(path, e);
      }
    }
    failures.putAll(namespace.deleteAll(inTheNamespace));
    return failures;
  }

  void setAttributes(FsPath path, AttributeChange change) throws IOException {
    if (WorkPath.parse(path).isPresent()) {
      throw new PathIOException(
          path.toString(), "attributes of a task's files cannot be changed before its job commits");
    }
    namespace.setAttributes(path, change);
  }

  /** See {@link HadoopRename#rename(FsPath, FsPath)}. */
  boolean rename(FsPath source, FsPath destination) throws IOException {
    Optional<WorkPath> workPath = workPath(source, destination);
    if (workPath.isPresent()) {
      return work.rename(workPath.get(), destination);
    }
    return rename.rename(source, destination);
  }

  /** See {@link HadoopRename#rename(FsPath, FsPath, boolean)}. */
  void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    Optional<WorkPath> workPath = workPath(source, destination);
    if (workPath.isPresent()) {
      boolean unused = work.rename(workPath.get(), destination);
      return;
    }
    rename.rename(source, destination, overwrite);
  }

  private static Optional<WorkPath> workPath(FsPath source, FsPath destination) {
    return WorkPath.parse(source).or(() -> WorkPath.parse(destination));
  }
}
