// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An absolute, normalised path in one file system: its components joined by single slashes, with no
 * slash at either end. The root is the empty string.
 *
 * <p>A normalised path never contains {@code //} and never ends in {@code /}; the names of RADOS
 * objects ({@link ObjectNames}) depend on that.
 */
public record FsPath(String key) implements Comparable<FsPath> {

  /**
   * The longest path in UTF-8 bytes: osd_max_object_name_len (2,048) minus what {@link ObjectNames}
   * may append.
   */
  public static final int MAX_BYTES = 1900;

  /** In UTF-8. A surrogate is half of a character of four bytes. */
  private static final int MAX_BYTES_A_CHAR = 3;

  public static final FsPath ROOT = new FsPath("");

  public FsPath {
    if (key.startsWith("/") || key.endsWith("/") || key.contains("//")) {
      throw new IllegalArgumentException("not a normalised path: '" + key + "'");
    }
  }

  /**
   * Reads an absolute path such as {@code /a/b}.
   *
   * @throws InvalidNameException if a component cannot be stored, or the path is too long
   */
  public static FsPath parse(String absolute) throws InvalidNameException {
    if (!absolute.startsWith("/")) {
      throw new InvalidNameException(absolute, "it is not absolute");
    }
    FsPath path = ROOT;
    for (String name : absolute.split("/")) {
      if (!name.isEmpty()) {
        path = path.child(name);
      }
    }
    return path;
  }

  /** The child of this directory with the given name. */
  public FsPath child(String name) throws InvalidNameException {
    if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
      throw new InvalidNameException(toString(), "'" + name + "' is not a file name");
    }
    if (name.indexOf('\0') >= 0) {
      throw new InvalidNameException(toString(), "a file name holds no NUL character");
    }
    FsPath child = new FsPath(isRoot() ? name : key + "/" + name);
    int bytes = 0;
    if (child.key.length() > MAX_BYTES / MAX_BYTES_A_CHAR) {
      bytes = child.key.getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MAX_BYTES) {
      throw new InvalidNameException(
          child.toString(),
          "its "
              + bytes
              + " UTF-8 bytes exceed the "
              + MAX_BYTES
              + " that fit a RADOS name;"
              + " use shorter directory or file names");
    }
    return child;
  }

  /**
   * Whether a stored text is the key of a path: one that {@link #parse} could have made.
   *
   * <p>Only keys that this class has made are trusted; any other text must be checked.
   */
  public static boolean isKey(String stored) {
    try {
      return stored.isEmpty() || parse("/" + stored).key.equals(stored);
    } catch (InvalidNameException e) {
      return false;
    }
  }

  /**
   * Returns the path of a stored key.
   *
   * @throws IllegalArgumentException if it is not a key
   */
  public static FsPath ofKey(String stored) {
    if (!isKey(stored)) {
      throw new IllegalArgumentException("not the key of a path: '" + stored + "'");
    }
    return new FsPath(stored);
  }

  /** This path with a relative one appended. */
  public FsPath resolve(String relative) throws InvalidNameException {
    FsPath path = this;
    for (String name : relative.split("/")) {
      if (!name.isEmpty()) {
        path = path.child(name);
      }
    }
    return path;
  }

  public boolean isRoot() {
    return key.isEmpty();
  }

  /** The directory that holds this path; throws IllegalStateException for the root. */
  public FsPath parent() {
    if (isRoot()) {
      throw new IllegalStateException("the root has no parent");
    }
    int slash = key.lastIndexOf('/');
    return slash < 0 ? ROOT : new FsPath(key.substring(0, slash));
  }

  /** The last component; empty for the root. */
  public String name() {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  /** Whether this is the other path or is below it. */
  public boolean isAtOrBelow(FsPath other) {
    return other.isRoot() || key.equals(other.key) || key.startsWith(other.key + "/");
  }

  /** What follows the ancestor in this path; empty if they are equal. */
  public String relativeTo(FsPath ancestor) {
    if (!isAtOrBelow(ancestor)) {
      throw new IllegalArgumentException(this + " is not below " + ancestor);
    }
    if (ancestor.isRoot()) {
      return key;
    }
    return key.length() == ancestor.key.length() ? "" : key.substring(ancestor.key.length() + 1);
  }

  /** The components from the root down. */
  public List<String> components() {
    return isRoot() ? List.of() : new ArrayList<>(List.of(key.split("/")));
  }

  @Override
  public int compareTo(FsPath other) {
    return key.compareTo(other.key);
  }

  /** The absolute path, as a user writes it. */
  @Override
  public String toString() {
    return "/" + key;
  }

  /** A path that radosfs cannot store. Nothing was written. */
  public static final class InvalidNameException extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    InvalidNameException(String path, String why) {
      super("invalid path " + path + ": " + why);
    }
  }
}
