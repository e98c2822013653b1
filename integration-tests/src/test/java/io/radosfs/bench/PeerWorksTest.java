// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.report.Findings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PeerWorksTest {

  private static final Peers PEERS = peers(true);

  private static Peers peers(boolean withCephFs) {
    Properties properties = new Properties();
    properties.setProperty("bucket", "any");
    properties.setProperty("fs.s3a.endpoint", "any");
    if (withCephFs) {
      properties.setProperty("cephfs.dir", "/mounted");
    }
    return Peers.of(properties, URI.create("rados://pool/b"), Path.of("/local"));
  }

  private static Set<String> peersOf(List<Amount> amounts, int count) {
    Set<String> names = new TreeSet<>();
    amounts.stream()
        .filter(amount -> amount.count() == count)
        .forEach(amount -> names.addAll(amount.peers()));
    return names;
  }

  private static List<String> rows(PeerWorks works, Peers peers, int rounds) {
    Findings table = Omissions.of(works, peers, rounds);
    return table.rows().stream().map(row -> String.join(" | ", row)).toList();
  }

  @Test
  void whatTakesS3aHoursIsNotInTheWhole() {
    PeerWorks whole = PeerWorks.whole();

    assertThat(peersOf(whole.files(), 10_000))
        .containsExactlyInAnyOrder("rados://", "local disk v1", "CephFS v1", "CephFS v2");
    assertThat(peersOf(whole.partitions(), 500)).noneMatch(name -> name.startsWith("S3A"));
    assertThat(peersOf(whole.partitions(), 200))
        .containsExactlyInAnyOrder("rados://", "local disk v1", "CephFS v2", "S3A v2");
    assertThat(peersOf(whole.files(), 1_000)).hasSize(7);
  }

  @Test
  void whatIsSlowIsARunOfItsOwn() {
    PeerWorks slow = new Extents(false, null, null, null, true, null).peerWorks();

    assertThat(slow.names()).containsExactly("10,000 files");
    assertThat(peersOf(slow.files(), 10_000)).containsExactlyInAnyOrder("rados://", "S3A magic");
    assertThat(slow.files().get(0).rounds(5)).isEqualTo(1);
    assertThat(rows(slow, PEERS, 5)).hasSize(1).first().asString().contains("--slow-peers");
  }

  @Test
  void worksCanBeChosenByAPartOfTheirNames() {
    PeerWorks partitions = new Extents(false, null, null, null, false, "Partitions of").peerWorks();

    assertThat(partitions.names())
        .containsExactly(
            "50 partitions of 4 files", "200 partitions of 4 files", "500 partitions of 4 files");
    assertThat(PeerWorks.whole().only("1,000").names())
        .containsExactly("1,000 files", "table of 1,000 partitions");
    PeerWorks whole = PeerWorks.whole();
    assertThatThrownBy(() -> whole.only("none"))
        .hasMessageContaining("no work has 'none' in its name: there are [512 MiB in 16 files, ");
  }

  /** By the times that are expected: a session's, and the short form's ten minutes. */
  @Test
  void eachFormFits() {
    Extents whole = new Extents(false, null, null, null, false, null);
    Extents inShort = new Extents(true, null, null, null, false, null);

    assertThat(PeerTimes.all(whole.peerWorks(), PEERS, whole.roundsOfPeers()))
        .isBetween(90 * 60L, 130 * 60L);
    assertThat(PeerTimes.all(inShort.peerWorks(), PEERS, inShort.roundsOfPeers()))
        .isLessThan(7 * 60L);
    assertThat(inShort.roundsOfPeers()).isEqualTo(1);
    assertThat(inShort.rounds()).isEqualTo(3);
    assertThat(new Extents(true, 2, null, null, false, null).roundsOfPeers()).isEqualTo(2);
  }

  @Test
  void whatIsLeftOutIsToldWithTheReason() {
    List<String> rows = rows(PeerWorks.whole(), PEERS, 5);

    assertThat(rows)
        .contains(
            "10,000 files | S3A magic | a round would take about 80 min: --slow-peers measures it",
            "10,000 files | S3A v1 | a round would take about 133 min",
            "200 partitions of 4 files | CephFS v1 | a round would take about 80 s",
            "1,000 files | 4 of 5 rounds of rados://, S3A magic, S3A v1, S3A v2"
                + " | a round takes about 28 min");
    assertThat(rows).noneMatch(row -> row.startsWith("512 MiB"));
    assertThat(rows(PeerWorks.whole(), peers(false), 5).get(0)).startsWith("all | CephFS | ");
  }

  @Test
  void aRoundThatIsNotWantedIsNotLeftOut() {
    assertThat(rows(PeerWorks.whole(), PEERS, 1)).noneMatch(row -> row.contains("rounds of"));
  }

  /** Else a change of an amount would leave a goal that nothing is held against. */
  @Test
  void eachGoalIsOfSomethingMeasured() {
    List<String> titles = PeerWorks.whole().names();

    assertThat(PeerGoals.works())
        .allSatisfy(
            work ->
                assertThat(titles)
                    .anyMatch(title -> work.equals(title) || work.startsWith(title + ", ")));
  }

  @Test
  void nothingIsMeasuredWithoutRados() {
    Set<String> others = Set.of("local disk v1");

    assertThatThrownBy(() -> new Amount(1, others, 1)).hasMessageContaining("rados://");
  }

  @Test
  void peersThatAreNotThereTakeNoPart() {
    Amount amount = new Amount(1, Set.of(Peers.RADOS, Peers.CEPHFS_V1, Peers.S3A_V2), 1);

    assertThat(amount.of(PEERS)).extracting(Peer::name).hasSize(3).startsWith("rados://");
    assertThat(amount.of(peers(false)))
        .extracting(Peer::name)
        .containsExactly("rados://", "S3A v2");
  }
}
