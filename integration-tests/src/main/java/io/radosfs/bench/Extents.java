// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.works.SparkWork;
import io.radosfs.bench.works.SparkWorks;
import io.radosfs.bench.works.WorkGoals;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * How much is measured.
 *
 * @param shortForm less of all: meant for less than 10 minutes a part
 * @param rounds how often
 * @param roundsOfPeers how often S3A, CephFS and the local disk are measured beside rados://
 * @param entries files in the directory that is listed
 * @param scale the scale factor of TPC-H and TPC-DS
 * @param slowPeers of the part {@code peers}, nothing but what takes more than an hour
 * @param only of the parts {@code spark} and {@code peers}, those works alone that have this in
 *     their names; of {@code tpch} and {@code tpcds}, these queries alone; null for all
 */
record Extents(
    boolean shortForm,
    int rounds,
    int roundsOfPeers,
    int entries,
    double scale,
    boolean slowPeers,
    String only) {

  private static final int ROUNDS = 5;
  private static final int SHORT_ROUNDS = 3;

  /** A second one would take longer than the 10 minutes of a short form. */
  private static final int SHORT_ROUNDS_OF_PEERS = 1;

  private static final int ENTRIES = 1_000_000;
  private static final int SHORT_ENTRIES = 200_000;
  private static final double SCALE = 1;
  private static final double SHORT_SCALE = 0.1;

  /** Those that were given, and else the form's. */
  Extents(
      boolean shortForm,
      Integer rounds,
      Integer entries,
      Double scale,
      boolean slowPeers,
      String only) {
    this(
        shortForm,
        rounds != null ? rounds : (shortForm ? SHORT_ROUNDS : ROUNDS),
        rounds != null ? rounds : (shortForm ? SHORT_ROUNDS_OF_PEERS : ROUNDS),
        entries != null ? entries : (shortForm ? SHORT_ENTRIES : ENTRIES),
        scale != null ? scale : (shortForm ? SHORT_SCALE : SCALE),
        slowPeers,
        only);
  }

  /** How often each of a hundred queries is asked. */
  int roundsOfMany() {
    return shortForm ? 1 : rounds;
  }

  List<SparkWork> sparkWorks(SparkSession spark) {
    return shortForm ? SparkWorks.inShort(spark) : SparkWorks.whole(spark);
  }

  PeerWorks peerWorks() {
    if (slowPeers) {
      return PeerWorks.slow();
    }
    PeerWorks all = shortForm ? PeerWorks.inShort() : PeerWorks.whole();
    return only == null ? all : all.only(only);
  }

  /** How often each query is asked of many processes, of which each has to warm up. */
  int roundsOfProcesses() {
    return Math.min(rounds, SHORT_ROUNDS);
  }

  /** How often jobs and loads of {@code scale} are measured: counts are the same each time. */
  int roundsOfScale() {
    return Math.min(rounds, shortForm ? 2 : 3);
  }

  /** How many files a job writes while a reader looks. */
  int filesLookedAt() {
    return shortForm ? 32 : 100;
  }

  /** How many partitions the tables have that are planned. */
  List<Integer> tables() {
    int withGoal = WorkGoals.TABLE_PARTITIONS;
    return shortForm ? List.of(30, withGoal) : List.of(30, 300, withGoal, 3_000);
  }
}
