package io.radosfs.connector.layout;

/**
 * What is stored and returned of a file or directory, and not enforced.
 *
 * @param modified milliseconds since the epoch
 * @param permission POSIX mode bits, at most 01777
 */
public record Attributes(long modified, int permission, String owner, String group) {

  public Attributes withModified(long millis) {
    return new Attributes(millis, permission, owner, group);
  }

  public Attributes withPermission(int mode) {
    return new Attributes(modified, mode, owner, group);
  }

  public Attributes withOwner(String newOwner, String newGroup) {
    return new Attributes(modified, permission, newOwner, newGroup);
  }
}
