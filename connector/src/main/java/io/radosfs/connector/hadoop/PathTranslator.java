// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;

/** Between Hadoop's paths and those of one file system. */
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
   * A path with scheme and authority, or without both, in this file system.
   *
   * @throws FsPath.InvalidNameException when it cannot be stored
   */
  public FsPath toFs(Path path, Path workingDirectory) throws IOException {
    Path absolute = path.isAbsolute() ? path : new Path(workingDirectory, path);
    return FsPath.parse(absolute.toUri().getPath());
  }

  /** The path with scheme and authority. Any name is taken as it is, also with a colon in it. */
  public Path toHadoop(FsPath path) {
    return isPlain(path.key())
        ? new Path(root.resolve("/" + path.key()))
        : new Path(Authority.SCHEME, uriAuthority, path.toString());
  }

  /**
   * Whether a URI has the path as it is: then Hadoop need not look for what to quote and to tidy
   * up, which it does more slowly than all else that a listing does for a name; and scheme and
   * authority, which are read already, not be read anew.
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
   * @param defaultUri where a path that names the scheme alone is
   * @throws IllegalArgumentException when it is in another one, as Hadoop wants
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
