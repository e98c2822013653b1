// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * A URI as the user gave it.
 *
 * @param text {@code rados://pool/path}
 */
record Location(String text) {

  Authority authority() {
    return Authority.of(uri());
  }

  FsPath path() throws FsPath.InvalidNameException {
    String path = uri().getPath();
    return path.isEmpty() ? FsPath.ROOT : FsPath.parse(path);
  }

  /** For Hadoop's file systems. */
  Path hadoopPath() throws FsPath.InvalidNameException {
    return new Path(Authority.SCHEME, uri().getAuthority(), path().toString());
  }

  /** What a result that only names it has. */
  Fields named() throws FsPath.InvalidNameException {
    return new Fields().with("uri", of(path())).with("path", path().toString());
  }

  /** The URI of another path of the same file system. */
  String of(FsPath other) {
    return authority() + other.toString();
  }

  private URI uri() {
    return new Path(text).toUri();
  }

  @Override
  public String toString() {
    return text;
  }
}
