// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * {@code rados://} for FileContext: {@link RadosFileSystem} as an AbstractFileSystem. Hadoop finds
 * it by {@code fs.AbstractFileSystem.rados.impl}.
 */
public class RadosFs extends DelegateToFileSystem {

  private static final URI NO_HOST = URI.create(Authority.SCHEME + ":///");

  private final RadosFileSystem fileSystem;
  private final URI uri;

  /** For Hadoop, by reflection. */
  public RadosFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    this(uri, new InitializedWith(uri), conf);
  }

  private RadosFs(URI uri, RadosFileSystem fileSystem, Configuration conf)
      throws IOException, URISyntaxException {
    super(forHadoop(uri), fileSystem, conf, Authority.SCHEME, false);
    this.fileSystem = fileSystem;
    this.uri = fileSystem.getUri();
    // Hadoop's constructor counts by the URI that it got.
    statistics = getStatistics(this.uri);
    fileSystem.countIn(statistics);
  }

  /** A URI that Hadoop's constructor can read; it takes only names that a host could have. */
  private static URI forHadoop(URI uri) {
    return uri.getHost() == null ? NO_HOST : uri;
  }

  /** Uses the intended URI instead of the one that Hadoop's constructor passes. */
  private static final class InitializedWith extends RadosFileSystem {
    private final URI uri;

    private InitializedWith(URI uri) {
      this.uri = uri;
    }

    @Override
    public void initialize(URI forHadoop, Configuration conf) throws IOException {
      super.initialize(uri, conf);
    }
  }

  @Override
  public URI getUri() {
    return uri == null ? super.getUri() : uri; // null from within the constructor
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RadosFs that && uri.equals(that.uri);
  }

  @Override
  public int hashCode() {
    return uri.hashCode();
  }

  /** Exact. Hadoop's compares host names, and pools such as {@code my_pool} are no host names. */
  @Override
  public void checkPath(Path path) {
    if (fileSystem == null) {
      return; // from within the constructor
    }
    try {
      fileSystem.checkPath(path);
    } catch (IllegalArgumentException e) {
      throw new InvalidPathException(path.toString(), e.getMessage());
    }
  }

  /** Unlike Hadoop's own, leaves the check of the parent to the creation. */
  @Override
  public FSDataOutputStream createInternal(
      Path path,
      EnumSet<CreateFlag> flags,
      FsPermission absolutePermission,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum,
      boolean createParent)
      throws IOException {
    checkPath(path);
    return fileSystem.createAbsolute(path, absolutePermission, flags, createParent, progress);
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
      throws IOException {
    fileSystem.setXAttr(path, name, value, flags);
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    fileSystem.removeXAttr(path, name);
  }

  @Override
  public byte[] getXAttr(Path path, String name) throws IOException {
    return fileSystem.getXAttr(path, name);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    return fileSystem.getXAttrs(path);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
    return fileSystem.getXAttrs(path, names);
  }

  @Override
  public List<String> listXAttrs(Path path) throws IOException {
    return fileSystem.listXAttrs(path);
  }

  @Override
  public void renameInternal(Path source, Path destination) throws IOException {
    renameInternal(source, destination, false);
  }

  /** Atomic, unlike Hadoop's own, which checks first and then acts. */
  @Override
  public void renameInternal(Path source, Path destination, boolean overwrite) throws IOException {
    fileSystem.rename(source, destination, overwrite ? Rename.OVERWRITE : Rename.NONE);
  }
}
