// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.apache.hadoop.util.functional.RemoteIterators.mappingRemoteIterator;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.data.ReadPlan;
import io.radosfs.connector.hadoop.Capabilities;
import io.radosfs.connector.hadoop.ExtendedAttributes;
import io.radosfs.connector.hadoop.FileHandle;
import io.radosfs.connector.hadoop.MissingTypes;
import io.radosfs.connector.hadoop.OpenOptions;
import io.radosfs.connector.hadoop.PagedBulkDelete;
import io.radosfs.connector.hadoop.PathTranslator;
import io.radosfs.connector.hadoop.RadosOperations;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Xattrs;
import io.radosfs.connector.mount.Identity;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SharedMount;
import io.radosfs.connector.release.HadoopRelease;
import io.radosfs.connector.uri.Authority;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.security.ProviderUtils;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.Progressable;

/**
 * {@code rados://[namespace@]pool/path}: Hadoop's file system API. Each method only translates; the
 * work is done in {@link io.radosfs.connector.operations.Namespace} and {@link
 * io.radosfs.connector.data}.
 *
 * <p>Permissions, owner and group are stored and returned, but not enforced: the capabilities of
 * the Ceph user control access. Thread-safe.
 */
public class RadosFileSystem extends FileSystem implements IOStatisticsSource, JobSupport.Provider {

  static {
    MissingTypes.define();
  }

  private PathTranslator paths;
  private RadosOperations operations;
  private Identity identity;
  private Path home;
  private volatile Path workingDirectory;

  @Override
  public String getScheme() {
    return Authority.SCHEME;
  }

  /**
   * Connects, and reads the superblock, so that errors appear here. The first write makes it.
   *
   * @throws IOException whose message says what to do
   */
  @Override
  public void initialize(URI uri, Configuration given) throws IOException {
    HadoopRelease.require(RadosFileSystem.class);
    Authority authority = Authority.of(uri);
    // A credential provider in a rados:// file cannot hold the key that opens it.
    Configuration conf =
        ProviderUtils.excludeIncompatibleCredentialProviders(given, RadosFileSystem.class);
    super.initialize(authority.uri(), conf);
    setConf(conf);
    paths = new PathTranslator(authority);
    identity = Identity.current(new Settings(conf, authority.pool()));
    operations = RadosOperations.of(SharedMount.acquire(authority, conf), identity, paths);
    home = makeQualified(new Path("/user/" + identity.user()));
    workingDirectory = home;
  }

  @Override
  public URI getUri() {
    return paths.uri();
  }

  /** Case-sensitive, as names of pools are in RADOS. */
  @Override
  protected void checkPath(Path path) {
    paths.check(path, getDefaultUri(getConf()));
  }

  /** Null: the authority names no host, and there are no delegation tokens. */
  @Override
  public String getCanonicalServiceName() {
    return null;
  }

  @Override
  public Path getHomeDirectory() {
    return home;
  }

  @Override
  public Path getWorkingDirectory() {
    return workingDirectory;
  }

  @Override
  public void setWorkingDirectory(Path directory) {
    checkPath(directory);
    workingDirectory = makeQualified(directory);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return reading().open(toFs(path), Optional.empty(), ReadPlan.unknown(), statistics);
  }

  /** For a status made by this file system; see {@link FileHandle}. */
  @Override
  protected PathHandle createPathHandle(FileStatus status, HandleOpt... options) {
    boolean mayMove =
        HandleOpt.getOpt(HandleOpt.Location.class, options)
            .filter(HandleOpt.Location::allowChange)
            .isPresent();
    boolean mayChange =
        HandleOpt.getOpt(HandleOpt.Data.class, options)
            .filter(HandleOpt.Data::allowChange)
            .isPresent();
    try {
      return operations.handle(toFs(status.getPath()), status, mayMove, mayChange);
    } catch (IOException e) {
      throw new IllegalArgumentException("no handle can be made of " + status, e);
    }
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
    return reading().open(FileHandle.of(handle), statistics);
  }

  /** A status that this file system made saves the look-up. */
  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
        parameters.getMandatoryKeys(), OpenOptions.KNOWN, "for " + path);
    FsPath target = toFs(path);
    FileStatus status = parameters.getStatus();
    if (status != null && !status.getPath().getName().equals(path.getName())) {
      throw new IllegalArgumentException(
          "the status of " + status.getPath() + " given for " + path);
    }
    Optional<FileStatus> known =
        Optional.ofNullable(status).filter(s -> makeQualified(path).equals(s.getPath()));
    ReadPlan plan = OpenOptions.readPlan(parameters.getOptions());
    return LambdaUtils.eval(
        new CompletableFuture<>(), () -> reading().open(target, known, plan, statistics));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return writing().create(toFs(path), masked(permission), overwrite, true, progress, statistics);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum)
      throws IOException {
    return createAbsolute(path, masked(permission), flags, true, progress);
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return createAbsolute(path, masked(permission), flags, false, progress);
  }

  @Override
  protected FSDataOutputStream primitiveCreate(
      Path path,
      FsPermission absolutePermission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum)
      throws IOException {
    return createAbsolute(path, absolutePermission, flags, true, progress);
  }

  /** CREATE with APPEND makes a file if there is none, without overwriting. */
  FSDataOutputStream createAbsolute(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      boolean createParent,
      Progressable progress)
      throws IOException {
    CreateFlag.validate(flags);
    FsPath target = toFs(path);
    boolean append = flags.contains(CreateFlag.APPEND);
    boolean create = flags.contains(CreateFlag.CREATE);
    if ((append || !create) && !operations.exists(target)) {
      if (!create) {
        throw new FileNotFoundException(
            "there is no file to " + (append ? "append to: " : "overwrite: ") + target);
      }
    } else if (append) {
      throw noAppend(path);
    }
    return writing()
        .create(
            target,
            permission,
            flags.contains(CreateFlag.OVERWRITE),
            createParent,
            progress,
            statistics);
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw noAppend(path);
  }

  private static UnsupportedOperationException noAppend(Path path) {
    return new UnsupportedOperationException(
        "cannot append to "
            + path
            + ": rados:// files are written once. Write another file beside it, or write it anew"
            + " and rename that over it");
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return reading().status(toFs(path));
  }

  /** The machines whose OSDs hold most of each block; asks the monitors, and caches the answers. */
  @Override
  public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length)
      throws IOException {
    if (file == null) {
      return null;
    }
    if (start < 0 || length < 0) {
      throw new IllegalArgumentException(
          "start " + start + " and length " + length + " of a part of " + file.getPath());
    }
    if (file.getLen() <= start) {
      return new BlockLocation[0];
    }
    return operations.blockLocations(toFs(file.getPath()), file, start, length);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    return listing().listAll(toFs(path));
  }

  /**
   * If the directory's index has shards, holds one shard and the next few at a time. Throws if a
   * transaction changes what was handed out already; {@link #listStatus} begins again instead.
   */
  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    return mappingRemoteIterator(listing().list(toFs(path)), status -> status);
  }

  /** As {@link #listStatusIterator}, with block locations. */
  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
      throws IOException {
    return listing().listLocated(toFs(path), filter);
  }

  /** Recursively, reads many directories at a time. */
  @Override
  public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
      throws IOException {
    if (!recursive) {
      return super.listFiles(path, false);
    }
    return listing().listFiles(toFs(path));
  }

  /** Reads many directories at a time. */
  @Override
  public ContentSummary getContentSummary(Path path) throws IOException {
    return listing().summary(toFs(path));
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    mkdirs(path, masked(permission), true);
    return true;
  }

  @Override
  protected void primitiveMkdir(Path path, FsPermission absolutePermission, boolean createParent)
      throws IOException {
    mkdirs(path, absolutePermission, createParent);
  }

  /** A URI that ends after the pool is the root; Hadoop would take it for the home directory. */
  @Override
  public Path makeQualified(Path path) {
    return super.makeQualified(rooted(path));
  }

  @Override
  public FileStatus[] globStatus(Path pattern) throws IOException {
    return super.globStatus(rooted(pattern));
  }

  @Override
  public FileStatus[] globStatus(Path pattern, PathFilter filter) throws IOException {
    return super.globStatus(rooted(pattern), filter);
  }

  private static Path rooted(Path path) {
    return PathTranslator.isRoot(path) ? new Path(path, "/") : path;
  }

  private void mkdirs(Path path, FsPermission permission, boolean createParent) throws IOException {
    writing().mkdirs(toFs(path), permission, createParent);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    return writing().delete(toFs(path), recursive);
  }

  /** Deletes a page of paths at a time; the files of one directory by one write of its index. */
  @Override
  public BulkDelete createBulkDelete(Path base) throws IOException {
    checkPath(base);
    return PagedBulkDelete.below(makeQualified(base), this::toFs, operations);
  }

  @Override
  public boolean rename(Path source, Path destination) throws IOException {
    return writing().rename(toFs(source), toFs(destination));
  }

  /** Atomic and exclusive, unlike Hadoop's default, which checks and then acts. */
  @Override
  public void rename(Path source, Path destination, Rename... options) throws IOException {
    boolean overwrite = options != null && Arrays.asList(options).contains(Rename.OVERWRITE);
    writing().rename(toFs(source), toFs(destination), overwrite);
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    int mode = permission.toShort();
    writing().setAttributes(toFs(path), attributes -> attributes.withPermission(mode));
  }

  /** Null leaves user or group as it is. */
  @Override
  public void setOwner(Path path, String user, String group) throws IOException {
    if (user == null && group == null) {
      throw new IllegalArgumentException("neither user nor group given for " + path);
    }
    writing()
        .setAttributes(
            toFs(path),
            attributes ->
                attributes.withOwner(
                    user == null ? attributes.owner() : user,
                    group == null ? attributes.group() : group));
  }

  /** -1 leaves the modification time as it is; access times are not kept. */
  @Override
  public void setTimes(Path path, long modified, long accessed) throws IOException {
    writing()
        .setAttributes(
            toFs(path),
            attributes -> modified == -1 ? attributes : attributes.withModified(modified));
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
      throws IOException {
    writing().setAttributes(toFs(path), ExtendedAttributes.set(name, value, flags));
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    writing().setAttributes(toFs(path), ExtendedAttributes.remove(name));
  }

  /** Throws before any look-up if the name has no namespace. */
  @Override
  public byte[] getXAttr(Path path, String name) throws IOException {
    String checked = ExtendedAttributes.checked(name);
    return ExtendedAttributes.some(xattrs(path), List.of(checked)).get(checked);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    return ExtendedAttributes.all(xattrs(path));
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
    List<String> checked = ExtendedAttributes.checked(names);
    return ExtendedAttributes.some(xattrs(path), checked);
  }

  @Override
  public List<String> listXAttrs(Path path) throws IOException {
    return xattrs(path).names();
  }

  private Xattrs xattrs(Path path) throws IOException {
    return reading().xattrs(toFs(path));
  }

  /** COMPOSITE-CRC32C, which equals HDFS's of the same content; null for a part of the file. */
  @Override
  public FileChecksum getFileChecksum(Path path, long length) throws IOException {
    return reading().checksum(toFs(path), length);
  }

  @Override
  public FileChecksum getFileChecksum(Path path) throws IOException {
    return getFileChecksum(path, Long.MAX_VALUE);
  }

  /**
   * Used: what all pools of the file system hold. Remaining: what new files at that path can still
   * take, given the room in the cluster and the quota of their pool.
   *
   * @param path null for the root
   */
  @Override
  public FsStatus getStatus(Path path) throws IOException {
    return operations.usage(path == null ? FsPath.ROOT : toFs(path));
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    return operations.blockSize();
  }

  @Override
  public long getDefaultBlockSize() {
    return operations.blockSize();
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    checkPath(path);
    return Capabilities.has(capability) || super.hasPathCapability(path, capability);
  }

  /** Counts of RADOS operations and bytes, of this process and file system, and of its streams. */
  @Override
  public IOStatistics getIOStatistics() {
    return operations == null ? null : operations.statistics();
  }

  /** Counts there instead of in the statistics of {@link #initialize}; for before the first use. */
  void countIn(Statistics of) {
    statistics = of;
  }

  /** For radosfs's own committer. */
  @Override
  public JobSupport jobs() throws IOException {
    return operations.jobs(FsPermission.getUMask(getConf()));
  }

  @Override
  public JobHeartbeats heartbeats() {
    return operations.heartbeats();
  }

  /** The mount below this file system, for radosfs's own tools. */
  public Mount mount() throws IOException {
    return operations.mount();
  }

  /** Deletes the paths marked for deletion on exit, then releases the mount. */
  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (operations != null) {
        operations.close();
      }
    }
  }

  @Override
  public String toString() {
    return "RadosFileSystem{" + (paths == null ? "not initialized" : paths.uri()) + "}";
  }

  /** Counts a read. */
  private RadosOperations reading() {
    statistics.incrementReadOps(1);
    return operations;
  }

  /** Counts a listing. */
  private RadosOperations listing() {
    statistics.incrementLargeReadOps(1);
    return operations;
  }

  /** Counts a write. */
  private RadosOperations writing() {
    statistics.incrementWriteOps(1);
    return operations;
  }

  private FsPath toFs(Path path) throws IOException {
    checkPath(path);
    return paths.toFs(path, workingDirectory);
  }

  private FsPermission masked(FsPermission permission) {
    FsPermission mode = permission == null ? FsPermission.getFileDefault() : permission;
    return FsCreateModes.applyUMask(mode, FsPermission.getUMask(getConf()));
  }
}
