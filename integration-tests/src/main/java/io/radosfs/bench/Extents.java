// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.util.List;

/**
 * How much is measured.
 *
 * @param shortForm less of all: meant for less than 10 minutes a part
 * @param rounds how often
 * @param entries files in the directory that is listed
 * @param scale the scale factor of TPC-H and TPC-DS
 */
record Extents(boolean shortForm, int rounds, int entries, double scale) {

  private static final int ROUNDS = 5;
  private static final int SHORT_ROUNDS = 3;
  private static final int ENTRIES = 1_000_000;
  private static final int SHORT_ENTRIES = 200_000;
  private static final double SCALE = 1;
  private static final double SHORT_SCALE = 0.1;

  /** Those that were given, and else the form's. */
  Extents(boolean shortForm, Integer rounds, Integer entries, Double scale) {
    this(
        shortForm,
        rounds != null ? rounds : (shortForm ? SHORT_ROUNDS : ROUNDS),
        entries != null ? entries : (shortForm ? SHORT_ENTRIES : ENTRIES),
        scale != null ? scale : (shortForm ? SHORT_SCALE : SCALE));
  }

  /** How often each of a hundred queries is asked. */
  int roundsOfMany() {
    return shortForm ? 2 : rounds;
  }

  /** How many files a job writes while a reader looks. */
  int filesLookedAt() {
    return shortForm ? 32 : 100;
  }

  /** How many partitions the tables have that are planned. */
  List<Integer> tables() {
    return shortForm ? List.of(30, 300) : List.of(30, 300, 3_000);
  }
}
