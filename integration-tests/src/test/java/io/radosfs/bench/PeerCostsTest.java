// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.report.Figure;
import io.radosfs.workbench.OsdCounters;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PeerCostsTest {

  private PeerCosts costs;

  @BeforeEach
  void begin() {
    Properties properties = new Properties();
    properties.setProperty("bucket", "any");
    properties.setProperty("fs.s3a.endpoint", "any");
    properties.setProperty("cephfs.dir", "/mounted");
    costs = new PeerCosts(Peers.of(properties, URI.create("rados://pool/b"), Path.of("/local")));
  }

  private static Cost cost(double seconds) {
    return new Cost(seconds, new OsdCounters(3, 2 << 20, 5, 1 << 20), 1, 2, 3, 4);
  }

  private List<String> names() {
    return costs.figures().stream().map(Figure::name).toList();
  }

  private Figure figure(String name) {
    return costs.figures().stream()
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ratiosAreToRadosRoundByRound() {
    costs.add("1,000 files", "rados://", 1, cost(2));
    costs.add("1,000 files", "S3A magic", 1, cost(30));
    costs.add("1,000 files", "rados://", 2, cost(4));
    costs.add("1,000 files", "S3A magic", 2, cost(32));

    Figure ratio = figure("S3A magic to rados://");

    assertThat(ratio.part()).isEqualTo("peers: 1,000 files");
    assertThat(ratio.repeats()).containsExactly(15.0, 8.0);
    assertThat(ratio.met()).contains(true);
    assertThat(figure("S3A magic, written").repeats()).containsExactly(2.0, 2.0);
    assertThat(figure("S3A magic, reading").median()).isEqualTo(5);
  }

  @Test
  void theLocalDiskHasNoFiguresOfCeph() {
    costs.add("1,000 files", "rados://", 1, cost(2));
    costs.add("1,000 files", "local disk v1", 1, cost(1));

    assertThat(names())
        .contains("local disk v1, client", "rados://, OSDs")
        .doesNotContain("local disk v1, OSDs", "rados://, gateway or MDS and ceph-fuse");
  }

  @Test
  void whatIsReadIsOfAStore() {
    costs.add("1,000 files, listed", "rados://", 1, cost(2));
    costs.add("1,000 files, listed", "S3A", 1, cost(1));

    assertThat(names()).contains("S3A to rados://", "S3A, gateway or MDS and ceph-fuse");
    assertThat(names()).noneMatch(name -> name.contains("commitJob"));
  }

  @Test
  void aRatioIsOfTheRoundsThatBothHave() {
    costs.add("1,000 files", "rados://", 1, cost(2));
    costs.add("1,000 files", "local disk v1", 1, cost(4));
    costs.add("1,000 files", "rados://", 2, cost(8));
    costs.add("1,000 files", "S3A magic", 2, cost(40));
    costs.add("1,000 files", "CephFS v1", 3, cost(40));

    assertThat(figure("rados:// to local disk v1").repeats()).containsExactly(0.5);
    assertThat(figure("S3A magic to rados://").repeats()).containsExactly(5.0);
    assertThat(figure("rados://, time").repeats()).containsExactly(2.0, 8.0);
    assertThat(names()).contains("CephFS v1, time").doesNotContain("CephFS v1 to rados://");
  }

  @Test
  void withoutRadosThereAreTimesAlone() {
    costs.add("1,000 files", "S3A magic", 1, cost(40));

    assertThat(names()).contains("S3A magic, time").noneMatch(name -> name.contains(" to "));
  }

  @Test
  void theGoalsAreTheIssues() {
    for (String work : List.of("200 partitions of 4 files", "1,000 files", "any other")) {
      costs.add(work, "rados://", 1, cost(3));
      costs.add(work, "local disk v1", 1, cost(4));
      costs.add(work, "S3A magic", 1, cost(27));
      costs.add(work, "S3A v2", 1, cost(60));
    }

    assertThat(goals("200 partitions of 4 files"))
        .containsExactly(
            "rados:// to local disk v1 ≤ 0.75: true", "S3A v2 to rados:// ≥ 20.0: true");
    assertThat(goals("1,000 files"))
        .containsExactly(
            "rados:// to local disk v1 ≤ 1.0: true", "S3A magic to rados:// ≥ 10.0: false");
    assertThat(goals("any other")).isEmpty();
  }

  @Test
  void theBytesOfLargeFilesAreHeldAgainstWhatTheOsdsCount() {
    costs.add("large", "rados://", 1, cost(3));
    costs.addFiles("large", "rados://", 1, 2 << 20);
    costs.add("large", "S3A v2", 1, cost(3));
    costs.addFiles("large", "S3A v2", 1, 1 << 20);

    Figure ours = figure("rados://, bytes at the OSDs to bytes of the files");
    Figure theirs = figure("S3A v2, bytes at the OSDs to bytes of the files");

    assertThat(ours.repeats()).containsExactly(1.0);
    assertThat(ours.met()).contains(true);
    assertThat(theirs.repeats()).containsExactly(2.0);
    assertThat(theirs.met()).isEmpty();
  }

  private List<String> goals(String work) {
    return costs.figures().stream()
        .filter(figure -> figure.part().equals("peers: " + work) && figure.goal().isPresent())
        .map(
            figure ->
                figure.name()
                    + " "
                    + figure.goal().get().bound().sign()
                    + " "
                    + figure.goal().get().limit()
                    + ": "
                    + figure.met().get())
        .toList();
  }
}
