// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.superblock;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a pool without a superblock may get one. A mistyped URI must not make a file system among
 * the objects of another.
 */
public final class Vacancy {

  /** The application that {@code ceph osd pool application enable} is to name. */
  public static final String APPLICATION = "radosfs";

  private final ObjectStore pool;
  private final String where;

  /**
   * @param where the file system's URI, for errors
   */
  public Vacancy(ObjectStore pool, String where) {
    this.pool = pool;
    this.where = where;
  }

  /**
   * Checks that the pool is not meant for something else: it has no application yet, or this one
   * among them. No RADOS operation. It needs no capability beyond those for reading.
   *
   * @throws LayoutException if the pool is an RBD image store's, a gateway's, a CephFS's, …
   */
  public void requireOwnPool() throws IOException {
    Set<String> applications = pool.applications();
    if (applications.isEmpty() || applications.contains(APPLICATION)) {
      return;
    }
    throw new LayoutException(
        where
            + " holds no file system of radosfs: pool '"
            + pool.pool()
            + "' belongs to "
            + String.join(", ", applications)
            + " (`ceph osd pool application get "
            + pool.pool()
            + "`). Nothing was written. Correct the pool's name, or create a pool for radosfs. If"
            + " this one is meant: `ceph osd pool application enable "
            + pool.pool()
            + " "
            + APPLICATION
            + " --yes-i-really-mean-it`");
  }

  /**
   * Returns the name of an object in the namespace; empty if there is none. One listing, which ends
   * at the first name: a read for each placement group, and in a pool that has many objects in
   * other namespaces one for about every thousand of them.
   */
  public Optional<String> anyObject() throws IOException {
    try {
      pool.list(
          name -> {
            throw new FoundException(name);
          });
      return Optional.empty();
    } catch (FoundException e) {
      return Optional.of(e.name);
    }
  }

  /** The refusal of a namespace in which there is this object. */
  public LayoutException occupied(String object) {
    return new LayoutException(
        where
            + " holds no file system of radosfs, but objects of something else, such as '"
            + object
            + "'. Nothing was written. Correct the URI, or use another pool, or a namespace of its"
            + " own in this one (rados://<namespace>@"
            + pool.pool()
            + "). If radosfs may put its objects beside these: `radosfs format "
            + where
            + "`");
  }

  /** Ends a listing. */
  private static final class FoundException extends IOException {
    private static final long serialVersionUID = 1L;
    private final String name;

    FoundException(String name) {
      super("found " + name);
      this.name = name;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
