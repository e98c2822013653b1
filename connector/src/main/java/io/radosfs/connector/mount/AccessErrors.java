// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.security.AccessControlException;

/**
 * Tells a user whose Ceph capabilities do not suffice which ones are needed.
 *
 * @param dataPool the pool of the file system's data, asked for when an error has to name it
 */
record AccessErrors(Authority authority, String user, Supplier<String> dataPool) {

  /**
   * Returns the exception to throw instead: an AccessControlException for a denial, otherwise the
   * same.
   *
   * @param pool the pool of the failed operation
   */
  IOException explain(String pool, IOException failure) {
    if (!(failure instanceof StoreException denial) || !denial.is(Kind.PERMISSION_DENIED)) {
      return failure;
    }
    String where =
        authority.namespace().isEmpty()
            ? "pool '" + pool + "'"
            : "pool '" + pool + "', namespace '" + authority.namespace() + "'";
    AccessControlException explained =
        new AccessControlException(
            authority
                + ": Ceph user "
                + user
                + " (setting fs.rados.ceph.user) is not allowed to do this in "
                + where
                + ". To read and write it needs the capabilities mon 'allow r' osd '"
                + caps(pool)
                + "' ('allow r' instead of 'allow rw' to read a file system that exists); they are"
                + " shown by `ceph auth get "
                + user
                + "` and set, all at once, by `ceph auth caps`. "
                + denial.getMessage());
    explained.initCause(denial);
    return explained;
  }

  private String caps(String pool) {
    return Stream.of(authority.pool(), dataPool.get(), pool)
        .distinct()
        .map(this::cap)
        .collect(Collectors.joining(", "));
  }

  private String cap(String pool) {
    String namespace = authority.namespace().isEmpty() ? "" : " namespace=" + authority.namespace();
    return "allow rw pool=" + pool + namespace;
  }
}
