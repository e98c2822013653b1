// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIsDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/**
 * File system operations under work paths ({@link WorkPath}): files are created, looked up, listed
 * and deleted. Directories are assumed to exist. Files cannot be renamed or read: a task does not
 * need what it has written.
 *
 * <p>Files that this instance closed are remembered, so the status of a file, which engines ask for
 * their metrics, costs nothing.
 *
 * <p>Thread-safe.
 */
public final class WorkFiles {

  private static final int REMEMBERED = 10_000;

  /** The uid of directories under a work path, which are not stored anywhere. */
  private static final Uid NOWHERE = new Uid("0".repeat(24));

  private final ObjectStore index;
  private final FileObjects objects;
  private final LongSupplier clock;

  private final Remembered closed;

  /** The files that instances closed, the last ones, and of which attempts there were more. */
  private static final class Remembered {

    private final LruCache<WorkPath, Boolean> attemptsWithMore = new LruCache<>(REMEMBERED);
    private final LruCache<WorkPath, WorkFile> files;

    Remembered(int most) {
      files =
          new LruCache<>(
              most, (path, file) -> attemptsWithMore.put(directoryOf(path), Boolean.TRUE));
    }

    boolean isWhole(WorkPath path) {
      return attemptsWithMore.get(directoryOf(path)).isEmpty();
    }

    private static WorkPath directoryOf(WorkPath path) {
      return WorkPath.of(path.destination(), path.jobId(), path.attempt());
    }
  }

  /**
   * @param index the pool of jobs' records
   * @param clock milliseconds since the epoch
   */
  public WorkFiles(ObjectStore index, FileObjects objects, LongSupplier clock) {
    this(index, objects, clock, REMEMBERED);
  }

  /**
   * The same.
   *
   * @param remembered the number of closed files that are
   */
  WorkFiles(ObjectStore index, FileObjects objects, LongSupplier clock, int remembered) {
    this(index, objects, clock, new Remembered(remembered));
  }

  private WorkFiles(ObjectStore index, FileObjects objects, LongSupplier clock, Remembered closed) {
    this.index = index;
    this.objects = objects;
    this.clock = clock;
    this.closed = closed;
  }

  /** Returns an instance for another connection, which remembers the files that this one closed. */
  public WorkFiles in(ObjectStore otherIndex, FileObjects otherObjects) {
    return new WorkFiles(otherIndex, otherObjects, clock, closed);
  }

  /**
   * A file about to be written.
   *
   * @param data where its bytes go: to objects named after its final path
   */
  public record NewWorkFile(FileData data, FilePublisher publisher) {}

  /**
   * Prepares to write a file. Costs what {@link FileObjects#newFile} does; and {@link #list}, for
   * an attempt that has closed more files than are remembered. If the attempt has written a file of
   * that path before, by this instance, that file is deleted ({@link #delete}).
   *
   * @throws FileAlreadyExistsException if this instance has, and it is not to be overwritten
   */
  public NewWorkFile create(WorkPath path, boolean overwrite, Attributes attributes)
      throws IOException {
    if (path.isAttemptDirectory()) {
      throw new PathIsDirectoryException(path.toString());
    }
    if (isWritten(path)) {
      if (!overwrite) {
        throw new FileAlreadyExistsException(path + " exists: this task attempt has written it");
      }
      boolean unused = delete(path, false);
    }
    FileData data = objects.newFile(path.finalPath(), path.jobId());
    WorkFilePublisher publisher =
        new WorkFilePublisher(
            record(path),
            path.attempt(),
            path.relative(),
            attributes,
            clock,
            file -> closed.files.put(path, file));
    return new NewWorkFile(data, publisher);
  }

  private boolean isWritten(WorkPath path) throws IOException {
    return closed.files.get(path).isPresent()
        || !closed.isWhole(path)
            && record(path).files(path.relative()).stream()
                .anyMatch(file -> file.isThere() && file.relative().equals(path.relative()));
  }

  /**
   * Returns the entry at a work path: a file that was closed by an attempt not yet committed, or a
   * directory. An attempt's own directory always exists. Costs nothing for files that this instance
   * closed and for attempts' own directories; else as much as {@link #list}.
   */
  public Optional<Entry> lookup(WorkPath path) throws IOException {
    if (path.isAttemptDirectory()) {
      return Optional.of(directory());
    }
    Optional<WorkFile> own = closed.files.get(path);
    if (own.isPresent()) {
      return Optional.of(own.get().closed().orElseThrow());
    }
    for (WorkFile file : record(path).files(path.relative())) {
      if (file.isThere()) {
        return Optional.of(
            file.relative().equals(path.relative()) ? file.closed().get() : directory());
      }
    }
    return Optional.empty();
  }

  /**
   * The closed files and the directories in a directory under a work path, or the file itself; by
   * name. One read for each {@value JobRecord#PAGE} files below it, at least one.
   *
   * @return their work paths with their entries
   * @throws FileNotFoundException if there is neither
   */
  public List<Namespace.Child> list(WorkPath path) throws IOException {
    Map<String, Namespace.Child> children = new TreeMap<>();
    for (WorkFile file : record(path).files(path.relative())) {
      if (!file.isThere()) {
        continue;
      }
      if (file.relative().equals(path.relative())) {
        return List.of(new Namespace.Child(path.path(), file.closed().get()));
      }
      String below =
          path.isAttemptDirectory()
              ? file.relative()
              : file.relative().substring(path.relative().length() + 1);
      int slash = below.indexOf('/');
      String name = slash < 0 ? below : below.substring(0, slash);
      Entry entry = slash < 0 ? file.closed().get() : directory();
      children.put(name, new Namespace.Child(path.resolve(name).path(), entry));
    }
    if (children.isEmpty() && !path.isAttemptDirectory()) {
      throw new FileNotFoundException(path + " does not exist");
    }
    return new ArrayList<>(children.values());
  }

  /**
   * Removes a closed file, or all closed files below a directory, with their objects. One read for
   * each {@value JobRecord#PAGE} files, one operation for each of their stripes, two writes. The
   * attempt cannot commit them any more before the first object goes. If this fails, whatever is
   * left of them goes when the job ends.
   *
   * @return false when there was none
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted
   * @throws PathIsNotEmptyDirectoryException for a directory, unless recursive
   */
  public boolean delete(WorkPath path, boolean recursive) throws IOException {
    List<WorkFile> files =
        record(path).files(path.relative()).stream().filter(WorkFile::isThere).toList();
    boolean directory = files.stream().anyMatch(file -> !file.relative().equals(path.relative()));
    if (directory && !recursive) {
      throw new PathIsNotEmptyDirectoryException(path.toString());
    }
    if (files.isEmpty()) {
      return false;
    }
    files.forEach(file -> closed.files.forget(workPath(path, file)));
    record(path).remove(files);
    objects.remove(files.stream().map(WorkFile::data).toList());
    boolean unused = record(path).forget(files);
    return true;
  }

  /** Always throws: files of a task are not renamed. */
  public boolean rename(WorkPath source, FsPath target) {
    throw new UnsupportedOperationException(
        "cannot rename "
            + source
            + " to "
            + target
            + ": files under a task's work path appear under their final names when the job is"
            + " committed, and are not renamed before. Use the radosfs committer"
            + " (spark.sql.sources.commitProtocolClass, or"
            + " mapreduce.outputcommitter.factory.scheme.rados), not one that renames");
  }

  private static WorkPath workPath(WorkPath near, WorkFile file) {
    return new WorkPath(near.destination(), near.jobId(), file.attempt(), file.relative());
  }

  private AttemptRecord record(WorkPath path) {
    return new JobRecord(index, path.destination(), path.jobId()).of(path.attempt());
  }

  private Entry directory() {
    return new Entry.OfDirectory(NOWHERE, new Attributes(clock.getAsLong(), 0755, "", ""));
  }
}
