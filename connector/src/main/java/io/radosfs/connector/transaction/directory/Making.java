// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.directory;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.FileNotFoundException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The directories that one call makes. What others remove meanwhile is theirs to remove: a call
 * that is to make directories makes each of them once. A call that puts something into a directory,
 * and says so only then, makes it as long as it is missing.
 *
 * <p>No RADOS operation. For one call, and one thread.
 */
public final class Making {

  private final Attributes attributes;
  private final boolean once;

  /** The outcome of one try may show at the next. */
  private final Set<Uid> tried = new HashSet<>();

  /** Those that it has made, or perhaps has. */
  private final Set<FsPath> made = new HashSet<>();

  private Making(Attributes attributes, boolean once) {
    this.attributes = attributes;
    this.once = once;
  }

  /** Each at most once. */
  public static Making once(Attributes attributes) {
    return new Making(attributes, true);
  }

  /** Each again where others remove it meanwhile. */
  public static Making whileMissing(Attributes attributes) {
    return new Making(attributes, false);
  }

  Attributes attributes() {
    return attributes;
  }

  /**
   * Notes that a missing directory is about to be made.
   *
   * @param uid if this call has chosen it
   * @throws FileNotFoundException if it may have been made already
   */
  void begin(FsPath directory, Optional<Uid> uid) throws FileNotFoundException {
    if (!made.add(directory) && once) {
      throw new FileNotFoundException(
          "directory "
              + directory
              + " was made, and others removed it before the call was at its end: it is not made"
              + " twice. Repeat the call to make it again");
    }
    uid.ifPresent(tried::add);
  }

  /** Notes that what was begun certainly had no effect. */
  void notMade(FsPath directory) {
    made.remove(directory);
  }

  /** Whether this call has tried to make a directory with this uid. */
  boolean isOwn(Uid uid) {
    return tried.contains(uid);
  }
}
