// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

/** What writers do, all at once, to one object or to many. */
public enum ObjectLoad {
  OMAP_OF_ONE("omap writes, one object", false, true),
  OMAP_OF_MANY("omap writes, an object a writer", false, false),
  FILES_IN_ONE("files, one directory", true, true),
  FILES_IN_MANY("files, a directory a writer", true, false),
  FILES_BELOW_THRESHOLD("files, one directory of 40,000 names", true, true),
  FILES_ABOVE_THRESHOLD("files, one directory of 80,000 names, in shards", true, true);

  private final String title;
  private final boolean makesFiles;
  private final boolean together;

  ObjectLoad(String title, boolean makesFiles, boolean together) {
    this.title = title;
    this.makesFiles = makesFiles;
    this.together = together;
  }

  public String title() {
    return title;
  }

  /** Whether it makes files; otherwise it sets omap keys, and does nothing else. */
  public boolean makesFiles() {
    return makesFiles;
  }

  /** Whether all writers have one object, or one directory. */
  public boolean together() {
    return together;
  }

  /** Names that the directory has before. */
  public int namesBefore() {
    return switch (this) {
      case FILES_BELOW_THRESHOLD -> 40_000;
      case FILES_ABOVE_THRESHOLD -> 80_000;
      default -> 0;
    };
  }
}
