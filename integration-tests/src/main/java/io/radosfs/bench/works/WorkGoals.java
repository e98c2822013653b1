// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

/**
 * What works are to reach at most: ratios of their times to those on the local disk in the same
 * round, and one ratio of bytes. They are medians.
 */
public final class WorkGoals {

  /** 512 MiB in 16 files, by threads of one process or by executors. */
  public static final double LARGE = 1.10;

  /** What was written is read again from the caches that there are. */
  public static final double READ_WARM = 1.25;

  /** What was written is read when no cache has it. */
  public static final double READ_COLD = 1.05;

  /** 64 MiB in one task, in each format. */
  public static final double FORMAT = 1.15;

  /** 1,000 and 10,000 small files. */
  public static final double FILES = 1.0;

  /** 200 partitions, and a dynamic overwrite of them. */
  public static final double PARTITIONS = 0.75;

  /** A table of {@link #TABLE_PARTITIONS} partitions: planned, counted, and both. */
  public static final double TABLE = 1.1;

  public static final int TABLE_PARTITIONS = 1_000;

  /** A session that has just begun, and its first small table. */
  public static final double FIRST_WRITE = 1.3;

  /** What the OSDs count of a large file's bytes, to the file's own. */
  public static final double BYTES_TO_FILES = 1.01;

  private WorkGoals() {}
}
