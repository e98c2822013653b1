// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.net.URI;

/**
 * A namespace of a pool.
 *
 * @param namespace empty for the default one
 */
public record PoolName(String pool, String namespace) {

  /** The pool and namespace of {@code rados://[namespace@]pool/path}. */
  public static PoolName of(URI uri) {
    String authority = uri.getAuthority();
    if (authority == null) {
      throw new IllegalArgumentException("no pool in " + uri);
    }
    int at = authority.indexOf('@');
    return new PoolName(authority.substring(at + 1), at < 0 ? "" : authority.substring(0, at));
  }
}
