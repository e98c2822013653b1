// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * The attributes of a file or directory, which are stored and returned but not enforced.
 *
 * @param modified milliseconds since the epoch
 * @param permission POSIX mode bits, at most 01777
 */
public record Attributes(long modified, int permission, String owner, String group, Xattrs xattrs) {

  public static final int MAX_PERMISSION = 01777;

  /** Without extended attributes. */
  public Attributes(long modified, int permission, String owner, String group) {
    this(modified, permission, owner, group, Xattrs.NONE);
  }

  public Attributes withModified(long millis) {
    return new Attributes(millis, permission, owner, group, xattrs);
  }

  public Attributes withPermission(int mode) {
    return new Attributes(modified, mode, owner, group, xattrs);
  }

  public Attributes withOwner(String newOwner, String newGroup) {
    return new Attributes(modified, permission, newOwner, newGroup, xattrs);
  }

  /** For callers that hold very many, and need no extended attributes. */
  public Attributes withoutXattrs() {
    return xattrs.equals(Xattrs.NONE) ? this : withXattrs(Xattrs.NONE);
  }

  public Attributes withXattrs(Xattrs others) {
    return new Attributes(modified, permission, owner, group, others);
  }
}
