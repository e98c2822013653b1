// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.data.ReadPlan;
import io.radosfs.connector.hadoop.FileStreams.Creation;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.mount.Identity;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SharedMount;
import io.radosfs.connector.operations.AttributeChange;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.operations.TreeWalk;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * The operations of one mounted file system: each begins with the mount of the moment, returns
 * {@link HadoopValues}, and throws what {@link CalledOn} tells. Callers translate paths and count
 * calls. Thread-safe. After {@link #close} every operation fails.
 */
public final class RadosOperations implements Closeable {

  private final SharedMount share;
  private final Identity identity;
  private final HadoopValues values;
  private final RenamingCommitters committers;
  private volatile View view;
  private volatile boolean closed;

  /**
   * The operations of a mount.
   *
   * @param share closed with the operations, and if a setting cannot be read
   * @throws IllegalArgumentException for a setting that cannot be read
   */
  public static RadosOperations of(SharedMount share, Identity identity, PathTranslator paths)
      throws IOException {
    boolean opened = false;
    try {
      RadosOperations operations = new RadosOperations(share, identity, paths);
      opened = true;
      return operations;
    } finally {
      if (!opened) {
        share.close();
      }
    }
  }

  private RadosOperations(SharedMount share, Identity identity, PathTranslator paths) {
    this.share = share;
    this.identity = identity;
    Mount mount = share.latest();
    long blockSize = mount.settings().get(Options.BLOCK_SIZE);
    BlockLocations locations =
        new BlockLocations(
            mount.settings().get(Options.BLOCK_HOSTS)
                ? Optional.of(() -> share.mount().blockHosts())
                : Optional.empty(),
            blockSize);
    this.values = new HadoopValues(paths, blockSize, locations);
    this.committers =
        new RenamingCommitters(
            RenamingCommitters.Reaction.valueOf(
                mount.settings().get(Options.REQUIRE_COMMITTER).toUpperCase(Locale.ROOT)));
    this.view = View.of(mount, share);
  }

  /** A mount as Hadoop sees it. An operation uses one view from beginning to end. */
  private record View(Mount mount, FileTree tree, FileStreams streams) {
    static View of(Mount mount, SharedMount share) {
      return new View(
          mount,
          new FileTree(mount.namespace(), mount.workFiles(), mount.retries()),
          new FileStreams(mount, share::reading));
    }
  }

  /** The mount for a new operation; see {@link SharedMount#mount}. */
  public Mount mount() throws IOException {
    return share.mount();
  }

  /**
   * What a step of a job uses, by the mount of the moment.
   *
   * @param umask of the job's files
   */
  public JobSupport jobs(FsPermission umask) throws IOException {
    return new MountedJobs(share.mount(), share::another, identity, umask);
  }

  /** Those of the mount, over all its connections. */
  public JobHeartbeats heartbeats() {
    return share.latest().jobHeartbeats();
  }

  /** Counts of all file systems that share the mount, over all its connections. */
  public IOStatistics statistics() {
    return share.latest().statistics();
  }

  public long blockSize() {
    return values.blockSize();
  }

  /**
   * @param permission with the umask applied
   * @param statistics told of the bytes
   */
  public FSDataOutputStream create(
      FsPath path,
      FsPermission permission,
      boolean overwrite,
      boolean createParent,
      Progressable progress,
      FileSystem.Statistics statistics)
      throws IOException {
    Attributes attributes = identity.attributes(permission);
    return call(
        new CalledOn(path, "create"),
        by ->
            by.streams()
                .create(
                    path, new Creation(overwrite, createParent, attributes, progress), statistics));
  }

  /**
   * @param known a status of this file; one of this file system saves the look-up
   * @param statistics told of the bytes
   */
  public FSDataInputStream open(
      FsPath path, Optional<FileStatus> known, ReadPlan plan, FileSystem.Statistics statistics)
      throws IOException {
    Optional<Entry> entry = known.flatMap(RadosStatus::entryOf);
    return call(
        new CalledOn(path, "open"),
        by ->
            by.streams()
                .open(
                    path,
                    entry.isPresent() ? entry.get() : by.tree().require(path),
                    plan,
                    statistics));
  }

  /**
   * Opens the file of a handle. If the file is still at its path, it is opened there. Else, if the
   * handle allows a move, its data is opened, which no rename moves. Else, if the handle allows a
   * change, the new file at the path is opened. One look-up; one read more if the file was moved.
   *
   * <p>A handle that allows a move may also open a deleted file until its data is removed, normally
   * at once, and a replaced file as long as its data is retained.
   *
   * @throws InvalidPathHandleException if there is no file that the handle allows
   */
  public FSDataInputStream open(FileHandle handle, FileSystem.Statistics statistics)
      throws IOException {
    return call(
        new CalledOn(handle.path(), "open"),
        by ->
            by.streams()
                .open(
                    handle.path(),
                    handle.referent(by.tree(), by.mount().dataStores()),
                    ReadPlan.unknown(),
                    statistics));
  }

  /**
   * Returns a handle of a file; no RADOS operation.
   *
   * @param status made by this file system; the handle is for the file that it saw
   */
  public FileHandle handle(FsPath path, FileStatus status, boolean mayMove, boolean mayChange) {
    Optional<Entry> entry = RadosStatus.entryOf(status);
    if (entry.isEmpty() || !(entry.get() instanceof Entry.OfFile file)) {
      throw new IllegalArgumentException(
          "a handle can be made of a file's status that this file system has given in this process,"
              + " not of "
              + status);
    }
    return FileHandle.of(path, file, mayMove, mayChange);
  }

  public RadosFileStatus status(FsPath path) throws IOException {
    return values.status(path, require(path, "getFileStatus"));
  }

  /**
   * Returns the blocks that a part of a file is in, with the machines near to them. One look-up,
   * unless this file system made the status; see {@link io.radosfs.connector.placement.BlockHosts}.
   *
   * @throws FileNotFoundException also for a directory
   */
  public BlockLocation[] blockLocations(FsPath path, FileStatus known, long start, long length)
      throws IOException {
    Optional<Entry> entry = RadosStatus.entryOf(known);
    Entry found = entry.isPresent() ? entry.get() : require(path, "getFileBlockLocations");
    return values.blocks(path, found, start, length);
  }

  /** Asked before a creation whose flags depend on it. */
  public boolean exists(FsPath path) throws IOException {
    return call(new CalledOn(path, "create"), by -> by.tree().lookup(path)).isPresent();
  }

  /** Lists the children, of a large directory some at a time; see {@link Namespace#listing}. */
  public RemoteIterator<RadosFileStatus> list(FsPath path) throws IOException {
    return values.listing(children(new CalledOn(path, "listStatusIterator")));
  }

  private RemoteIterator<Child> children(CalledOn on) throws IOException {
    return on.tellingThroughout(call(on, by -> by.tree().listing(on.path())));
  }

  /** The same with block locations; costs what {@link #blockLocations} does in addition. */
  public RemoteIterator<LocatedFileStatus> listLocated(FsPath path, PathFilter filter)
      throws IOException {
    return values.located(children(new CalledOn(path, "listLocatedStatus")), filter);
  }

  public FileStatus[] listAll(FsPath path) throws IOException {
    return values.statuses(call(new CalledOn(path, "listStatus"), by -> by.tree().list(path)));
  }

  /** Lists the files of a tree with block locations; reads many directories at a time. */
  public RemoteIterator<LocatedFileStatus> listFiles(FsPath path) throws IOException {
    return values.locatedFiles(walk(path, "listFiles"));
  }

  /** Counts what is in a tree; a directory counts itself. Costs a look-up and the listings. */
  public ContentSummary summary(FsPath path) throws IOException {
    String call = "getContentSummary";
    return HadoopValues.summary(require(path, call), walk(path, call));
  }

  /** What cannot be listed is told with its own path. */
  private TreeWalk walk(FsPath top, String call) throws IOException {
    return new TreeWalk(
        top,
        path -> call(new CalledOn(path, call), by -> by.tree().list(path)),
        mount().directories());
  }

  /**
   * @param permission with the umask applied
   */
  public void mkdirs(FsPath path, FsPermission permission, boolean createParent)
      throws IOException {
    committers.look(path);
    run(
        new CalledOn(path, "mkdirs"),
        by -> by.tree().mkdirs(path, identity.attributes(permission), createParent));
  }

  public boolean delete(FsPath path, boolean recursive) throws IOException {
    return call(new CalledOn(path, "delete"), by -> by.tree().delete(path, recursive));
  }

  /** Deletes files and empty directories; returns the paths that could not be deleted, and why. */
  public Map<FsPath, IOException> deleteAll(Collection<FsPath> paths) throws IOException {
    Map<FsPath, IOException> failures = call(by -> by.tree().deleteAll(paths));
    failures.replaceAll((path, failure) -> new CalledOn(path, "delete").told(failure));
    return failures;
  }

  public boolean rename(FsPath source, FsPath destination) throws IOException {
    return call(
        new CalledOn(source, "rename to " + destination),
        by -> by.tree().rename(source, destination));
  }

  public void rename(FsPath source, FsPath destination, boolean overwrite) throws IOException {
    run(
        new CalledOn(source, "rename to " + destination),
        by -> by.tree().rename(source, destination, overwrite));
  }

  public void setAttributes(FsPath path, AttributeChange change) throws IOException {
    run(new CalledOn(path, "setAttributes"), by -> by.tree().setAttributes(path, change));
  }

  /** Returns the extended attributes; one look-up. */
  public Xattrs xattrs(FsPath path) throws IOException {
    return require(path, "getXAttrs").attributes().xattrs();
  }

  /**
   * Returns the CRC-32C of the whole file, as recorded when it was written; comparable with HDFS's
   * COMPOSITE-CRC32C. One look-up.
   *
   * @return null for a part of the file, for which no checksum is recorded
   * @throws FileNotFoundException also for a directory
   */
  public FileChecksum checksum(FsPath path, long length) throws IOException {
    return HadoopValues.checksum(path, require(path, "getFileChecksum"), length);
  }

  /**
   * Returns the bytes used, and those left for new files at this place; see {@link PoolsUsage}.
   *
   * @param place a directory, or a file in it; need not exist
   */
  public FsStatus usage(FsPath place) throws IOException {
    return call(new CalledOn(place, "getStatus"), by -> new PoolsUsage(by.mount()).at(place));
  }

  private <T> T call(FunctionRaisingIOE<View, T> operation) throws IOException {
    if (closed) {
      throw new IOException(share.latest().authority() + ": Filesystem closed");
    }
    return operation.apply(view());
  }

  private <T> T call(CalledOn on, FunctionRaisingIOE<View, T> operation) throws IOException {
    return on.telling(() -> call(operation));
  }

  private Entry require(FsPath path, String call) throws IOException {
    return call(new CalledOn(path, call), by -> by.tree().require(path));
  }

  private View view() throws IOException {
    Mount mount = share.mount();
    View seen = view;
    if (seen.mount() == mount) {
      return seen;
    }
    View anew = View.of(mount, share);
    view = anew;
    return anew;
  }

  private void run(CalledOn on, ConsumerRaisingIOE<View> operation) throws IOException {
    call(
        on,
        by -> {
          operation.accept(by);
          return null;
        });
  }

  @Override
  public void close() throws IOException {
    closed = true;
    share.close();
  }
}
