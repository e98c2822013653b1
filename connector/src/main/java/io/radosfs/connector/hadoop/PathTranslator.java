// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;

/** Translates between Hadoop's paths and those of one file system. */
public final class PathTranslator {

  private static final String PLAIN = "/-_.=";

  private final Authority authority;
  private final URI uri;
  private final String uriAuthority;

  /** The root with scheme and authority. */
  private final URI root;

  public PathTranslator(Authority authority) {
    this.authority = authority;
    this.uri = authority.uri();
    this.uriAuthority = authority.text();
    this.root = new Path(Authority.SCHEME, uriAuthority, "/").toUri();
  }

  public URI uri() {
    return uri;
  }

  /**
   * Translates a path of this file system, with scheme and authority or without both.
   *
   * @throws FsPath.InvalidNameException if it cannot be stored
   */
  public FsPath toFs(Path path, Path workingDirectory) throws IOException {
    if (isRoot(path)) {
      return FsPath.ROOT;
    }
    Path absolute = path.isAbsolute() ? path : new Path(workingDirectory, path);
    return FsPath.parse(absolute.toUri().getPath());
  }

  /**
   * Whether it is a URI that ends after the pool, {@code rados://pool}, as Hadoop's tools take it.
   */
  public static boolean isRoot(Path path) {
    URI given = path.toUri();
    return given.getAuthority() != null && given.getPath().isEmpty();
  }

  /** Returns the path with scheme and authority. Names stay as they are, even with a colon. */
  public Path toHadoop(FsPath path) {
    return isPlain(path.key())
        ? new Path(root.resolve("/" + path.key()))
        : new Path(Authority.SCHEME, uriAuthority, path.toString());
  }

  /**
   * Returns whether a URI holds the path unquoted. Then Hadoop need not quote and normalize it, nor
   * parse scheme and authority again: that costs more than all else that a listing does for a name.
   */
  private static boolean isPlain(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean plain =
          c >= 'a' && c <= 'z'
              || c >= '0' && c <= '9'
              || c >= 'A' && c <= 'Z'
              || PLAIN.indexOf(c) >= 0;
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks that a path is in this file system.
   *
   * @param defaultUri the file system of a path that has a scheme, but no authority
   * @throws IllegalArgumentException if it is in another file system, as Hadoop requires
   */
  public void check(Path path, URI defaultUri) {
    URI that = path.toUri();
    if (that.getScheme() == null) {
      return;
    }
    if (that.getScheme().equalsIgnoreCase(Authority.SCHEME)) {
      if (that.getAuthority() == null
          && Authority.SCHEME.equalsIgnoreCase(defaultUri.getScheme())) {
        that = defaultUri;
      }
      if (uriAuthority.equals(that.getAuthority())) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "Wrong FS: " + path + ", expected: " + authority + " (names of pools are case-sensitive)");
  }
}
