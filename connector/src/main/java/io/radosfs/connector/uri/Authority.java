// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.uri;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The file system that a URI names: {@code rados://[namespace@]pool/path}.
 *
 * <p>Not read with {@link URI#getHost()}, which is null for names that no host can have, such as
 * {@code my_pool}. Names of pools and namespaces are case-sensitive, as in RADOS.
 *
 * @param namespace in the pool; empty for the default one
 */
public record Authority(String pool, String namespace) {

  public static final String SCHEME = "rados";

  private static final String EXAMPLE = "use rados://pool/path, or rados://namespace@pool/path";

  public Authority {
    if (pool.isEmpty()) {
      throw new IllegalArgumentException("no pool is named: " + EXAMPLE);
    }
    if (pool.indexOf('@') >= 0 || pool.indexOf('/') >= 0) {
      throw new IllegalArgumentException("'" + pool + "' cannot be used as a pool: " + EXAMPLE);
    }
  }

  /**
   * Reads a URI of the scheme {@code rados}, whatever its path.
   *
   * @throws IllegalArgumentException if it names no pool; the message says how to
   */
  public static Authority of(URI uri) {
    if (!SCHEME.equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException("not a rados:// URI: " + uri + "; " + EXAMPLE);
    }
    String text = uri.getAuthority();
    if (text == null) {
      throw new IllegalArgumentException("no pool is named in " + uri + ": " + EXAMPLE);
    }
    int at = text.indexOf('@');
    if (at == 0) {
      throw new IllegalArgumentException("the namespace in " + uri + " is empty: " + EXAMPLE);
    }
    return new Authority(text.substring(at + 1), at < 0 ? "" : text.substring(0, at));
  }

  /** The text between the slashes of a URI: {@code pool} or {@code namespace@pool}. */
  public String text() {
    return namespace.isEmpty() ? pool : namespace + "@" + pool;
  }

  /** The file system's URI, without a path: {@code rados://namespace@pool}. */
  public URI uri() {
    try {
      return new URI(SCHEME, text(), null, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("'" + text() + "' cannot be written in a URI", e);
    }
  }

  /** The form for messages: {@code rados://namespace@pool}. */
  @Override
  public String toString() {
    return SCHEME + "://" + text();
  }
}
