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
    costs = new PeerCosts(Peers.of(properties, URI.create("rados://pool/b"), Path.of("/local")));
  }

  private static Cost cost(double seconds) {
    return new Cost(seconds, new OsdCounters(3, 2 << 20, 5, 1 << 20), 1, 2, 3);
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
    costs.add("1,000 files", "rados://", cost(2));
    costs.add("1,000 files", "S3A magic", cost(30));
    costs.add("1,000 files", "rados://", cost(4));
    costs.add("1,000 files", "S3A magic", cost(32));

    Figure ratio = figure("S3A magic to rados://");

    assertThat(ratio.part()).isEqualTo("peers: 1,000 files");
    assertThat(ratio.repeats()).containsExactly(15.0, 8.0);
    assertThat(ratio.met()).contains(true);
    assertThat(figure("S3A magic, written").repeats()).containsExactly(2.0, 2.0);
    assertThat(figure("S3A magic, reading").median()).isEqualTo(5);
  }

  @Test
  void theLocalDiskHasNoFiguresOfCeph() {
    costs.add("1,000 files", "rados://", cost(2));
    costs.add("1,000 files", "local disk v1", cost(1));

    assertThat(names())
        .contains("local disk v1, client", "rados://, OSDs")
        .doesNotContain("local disk v1, OSDs", "rados://, gateway or MDS and ceph-fuse");
  }

  @Test
  void whatIsReadIsOfAStore() {
    costs.add("1,000 files, listed", "rados://", cost(2));
    costs.add("1,000 files, listed", "S3A", cost(1));

    assertThat(names()).contains("S3A to rados://", "S3A, gateway or MDS and ceph-fuse");
    assertThat(names()).noneMatch(name -> name.contains("commitJob"));
  }
}
