// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.paper.PaperCase;
import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.publish.ChosenPlot;
import io.radosfs.bench.publish.ChosenPlots;
import io.radosfs.bench.report.Figure;
import io.radosfs.workbench.OsdCounters;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The plots that the repository shows are chosen by names that the parts really give. */
final class ShownFiguresTest {

  private static ChosenPlot plot(String file) {
    return Stream.concat(ChosenPlots.first().stream(), ChosenPlots.further().stream())
        .filter(one -> one.fileName().equals(file + ".svg"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(String file, List<Figure> figures) {
    return figures.stream().filter(plot(file).figures()).map(Figure::name).toList();
  }

  @Test
  void timesOfPeers() {
    Properties properties = new Properties();
    properties.setProperty("bucket", "any");
    properties.setProperty("fs.s3a.endpoint", "any");
    PeerCosts costs =
        new PeerCosts(Peers.of(properties, URI.create("rados://pool/b"), Path.of("/local")));
    Cost cost = new Cost(1, new OsdCounters(1, 1, 1, 1), 1, 1, 1, 1);
    List<String> works =
        List.of(PeerWorks.files(1_000), PeerWorks.large(512), PeerWorks.partitions(200));
    for (String work : works) {
      for (String peer : List.of(Peers.RADOS, Peers.S3A_V2)) {
        costs.add(work, peer, 1, cost);
        costs.addCommit(work, peer, 1, 0.5);
        costs.add(work + PeerWorks.OVERWRITTEN, peer, 1, cost);
      }
    }
    for (String file : List.of("small-files", "large-files", "partitions")) {
      assertThat(names(file, costs.figures())).containsExactly("rados://, time", "S3A v2, time");
    }
  }

  @Test
  void linesOfPaper() {
    Figures figures = new Figures("paper");
    Samples one = new Samples();
    one.add(1);
    for (PaperCase job : PaperCase.of(1, Buffer.DEFAULT, Format.PARQUET, 16)) {
      figures.note(job.name(), one, "MiB/s", job.speed());
      figures.note(job.name() + ", share", one, "", job.share());
    }
    assertThat(names("paper-parquet", figures.list()))
        .hasSize(4)
        .noneMatch(n -> n.contains("share"));
  }
}
