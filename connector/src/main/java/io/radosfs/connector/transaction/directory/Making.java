// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.directory;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.OutcomeUnknownException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The making of a directory by one call, in as many tries as it takes. What others remove once it
 * is made is theirs to remove: a call that says that it has made a directory makes it once. A call
 * that puts something into a directory, and says so only then, makes it as long as it is missing.
 *
 * <p>No RADOS operation. For one call, and one thread.
 */
public final class Making {

  private final Attributes attributes;
  private final boolean once;

  /** The outcome of one try may show at the next. */
  private final Set<Uid> tried = new HashSet<>();

  private boolean mayBeMade;

  private Making(Attributes attributes, boolean once) {
    this.attributes = attributes;
    this.once = once;
  }

  /** At most once. */
  public static Making once(Attributes attributes) {
    return new Making(attributes, true);
  }

  /** Again where others remove it meanwhile. */
  public static Making whileMissing(Attributes attributes) {
    return new Making(attributes, false);
  }

  Attributes attributes() {
    return attributes;
  }

  /**
   * Notes that the missing directory is about to be made.
   *
   * @param uid if this call has chosen it
   * @throws OutcomeUnknownException if it may have been made already
   */
  void begin(FsPath directory, Optional<Uid> uid) throws OutcomeUnknownException {
    if (mayBeMade && once) {
      throw new OutcomeUnknownException(
          "directory "
              + directory
              + " is missing, but it may have been made, and removed by others since: the answer to"
              + " its making was lost. It is not made twice; repeat the call to make it again",
          null);
    }
    mayBeMade = true;
    uid.ifPresent(tried::add);
  }

  /** Notes that what was begun certainly had no effect. */
  void notMade() {
    mayBeMade = false;
  }

  /** Whether this call has tried to make a directory with this uid. */
  boolean isOwn(Uid uid) {
    return tried.contains(uid);
  }
}
