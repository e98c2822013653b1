// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.works.NamePart;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * How much the part {@code peers} measures of each of its works. An S3 gateway takes a third of a
 * second to a second for each small file, so that a round of 10,000 files is hours on S3A: what is
 * measured is cut so that the whole takes about two hours.
 *
 * @param large MiB in 16 files
 * @param files numbers of small files
 * @param partitions numbers of partitions of 4 files each, which are then overwritten
 * @param tables numbers of partitions of one file each, which are planned and counted
 */
record PeerWorks(
    List<Amount> large, List<Amount> files, List<Amount> partitions, List<Amount> tables) {

  static final int LARGE_FILES = 16;
  static final int FILES_A_PARTITION = 4;
  static final String READ_BACK = ", read back";
  static final String LISTED = ", listed";
  static final String OVERWRITTEN = ", dynamic overwrite";
  static final String PLANNED = ", found and planned";
  static final String COUNTED = ", counted";

  private static final int ROUNDS = 5;
  private static final int FEWER_ROUNDS = 3;

  private static final Set<String> ALL =
      Set.of(
          Peers.RADOS,
          Peers.DISK,
          Peers.CEPHFS_V1,
          Peers.CEPHFS_V2,
          Peers.S3A_MAGIC,
          Peers.S3A_V1,
          Peers.S3A_V2);

  private static final Set<String> QUICK =
      Set.of(Peers.RADOS, Peers.DISK, Peers.CEPHFS_V1, Peers.CEPHFS_V2);

  private static final Set<String> WITHOUT_S3A_V1 =
      Set.of(
          Peers.RADOS, Peers.DISK, Peers.CEPHFS_V1, Peers.CEPHFS_V2, Peers.S3A_MAGIC, Peers.S3A_V2);

  private static final Set<String> ON_S3A =
      Set.of(Peers.RADOS, Peers.S3A_MAGIC, Peers.S3A_V1, Peers.S3A_V2);

  /** What is only read is written by the first of each store. */
  private static final Set<String> OF_EACH_STORE =
      Set.of(Peers.RADOS, Peers.DISK, Peers.CEPHFS_V1, Peers.S3A_MAGIC);

  /** About two hours, of which S3A takes more than half. */
  static PeerWorks whole() {
    return new PeerWorks(
        List.of(new Amount(512, ALL, ROUNDS)),
        List.of(
            new Amount(1_000, QUICK, FEWER_ROUNDS),
            new Amount(1_000, ON_S3A, 1),
            new Amount(10_000, QUICK, 1)),
        List.of(
            new Amount(50, QUICK, FEWER_ROUNDS),
            new Amount(50, ON_S3A, 1),
            new Amount(200, Set.of(Peers.RADOS, Peers.DISK, Peers.CEPHFS_V2), FEWER_ROUNDS),
            new Amount(200, Set.of(Peers.RADOS, Peers.S3A_V2), 1),
            new Amount(500, QUICK, 1)),
        List.of(new Amount(1_000, OF_EACH_STORE, ROUNDS)));
  }

  static PeerWorks inShort() {
    return new PeerWorks(
        List.of(new Amount(256, ALL, ROUNDS)),
        List.of(
            new Amount(100, WITHOUT_S3A_V1, 1),
            new Amount(1_000, Set.of(Peers.RADOS, Peers.DISK), FEWER_ROUNDS)),
        List.of(new Amount(10, WITHOUT_S3A_V1, 1), new Amount(50, QUICK, FEWER_ROUNDS)),
        List.of(new Amount(50, OF_EACH_STORE, ROUNDS)));
  }

  /** What takes more than an hour by itself, and so is a run of its own. */
  static PeerWorks slow() {
    return new PeerWorks(
        List.of(),
        List.of(new Amount(10_000, Set.of(Peers.RADOS, Peers.S3A_MAGIC), 1)),
        List.of(),
        List.of());
  }

  /**
   * Those alone that have a text in their names.
   *
   * @param text in small or capital letters
   * @throws IllegalArgumentException if none has
   */
  PeerWorks only(String text) {
    NamePart part = new NamePart(text);
    PeerWorks chosen =
        new PeerWorks(
            named(large, PeerWorks::large, part),
            named(files, PeerWorks::files, part),
            named(partitions, PeerWorks::partitions, part),
            named(tables, PeerWorks::table, part));
    if (chosen.names().isEmpty()) {
      throw part.isInNone(names());
    }
    return chosen;
  }

  private static List<Amount> named(List<Amount> amounts, IntFunction<String> name, NamePart part) {
    return amounts.stream().filter(amount -> part.isIn(name.apply(amount.count()))).toList();
  }

  /** Each once, in the order in which they are measured. */
  List<String> names() {
    return Stream.of(
            namesOf(large, PeerWorks::large),
            namesOf(files, PeerWorks::files),
            namesOf(partitions, PeerWorks::partitions),
            namesOf(tables, PeerWorks::table))
        .flatMap(Function.identity())
        .distinct()
        .toList();
  }

  private static Stream<String> namesOf(List<Amount> amounts, IntFunction<String> name) {
    return amounts.stream().map(amount -> name.apply(amount.count()));
  }

  static String large(int mib) {
    return mib + " MiB in " + LARGE_FILES + " files";
  }

  static String files(int count) {
    return String.format(Locale.ROOT, "%,d files", count);
  }

  static String partitions(int count) {
    return String.format(Locale.ROOT, "%,d partitions of %d files", count, FILES_A_PARTITION);
  }

  static String table(int count) {
    return String.format(Locale.ROOT, "table of %,d partitions", count);
  }
}
