// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSnapshot;
import org.apache.hadoop.fs.statistics.MeanStatistic;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.junit.jupiter.api.Test;

/** What a stream reports when it is closed costs no further evaluation, and no other thread. */
class EndedStatisticsTest {

  private final List<IOStatistics> reported = new ArrayList<>();
  private final Fixture fixture = new Fixture();
  private final StreamSettings settings = Fixture.window(3).withStatistics(reported::add);

  @Test
  void eachStatisticIsEvaluatedOnceInTheThreadThatCloses() {
    int counters = 24;
    List<Thread> evaluated = Collections.synchronizedList(new ArrayList<>());
    var builder = IOStatisticsBinding.dynamicIOStatistics();
    for (int i = 0; i < counters; i++) {
      builder.withLongFunctionCounter(
          "c" + i,
          name -> {
            evaluated.add(Thread.currentThread());
            return 7;
          });
    }
    builder.withLongFunctionMaximum("max", name -> 5);
    builder.withMeanStatisticFunction("mean", name -> new MeanStatistic(2, 10));
    IOStatistics ended = EndedStatistics.of(builder.build());

    IOStatisticsSnapshot first = new IOStatisticsSnapshot(ended);
    IOStatisticsSnapshot second = new IOStatisticsSnapshot(ended);

    assertThat(evaluated).hasSize(counters).containsOnly(Thread.currentThread());
    assertThat(first.counters()).hasSize(counters).containsEntry("c3", 7L);
    assertThat(second.counters()).isEqualTo(first.counters());
    assertThat(first.maximums()).isEqualTo(Map.of("max", 5L));
    assertThat(first.meanStatistics().get("mean").mean()).isEqualTo(5.0);
  }

  @Test
  void aReaderReportsWhatDoesNotChange() throws IOException {
    ObjectStore store = fixture.store("reader");
    FileData file = write(store);
    reported.clear();
    StripedInputStream in =
        new StripedInputStream(store, file.origin(), file, fixture.pool, settings);
    assertThat(in.readAllBytes()).hasSize(20);
    in.close();
    Map<String, Long> live = Map.copyOf(new IOStatisticsSnapshot(in.getIOStatistics()).counters());
    in.close();

    assertThat(reported).hasSize(1);
    assertThat(reported.get(0).counters())
        .isEqualTo(live)
        .containsEntry(StreamStatisticNames.STREAM_READ_BYTES, 20L)
        .containsEntry(StreamStatisticNames.STREAM_READ_CLOSE_OPERATIONS, 1L);
    assertThat(in.getIOStatistics().counters())
        .containsEntry(StreamStatisticNames.STREAM_READ_CLOSE_OPERATIONS, 2L);
  }

  @Test
  void aWriterReportsWhatDoesNotChange() throws IOException {
    write(fixture.store("writer"));

    assertThat(reported).hasSize(1).allMatch(EndedStatistics.class::isInstance);
    assertThat(reported.get(0).counters())
        .containsEntry(StreamStatisticNames.STREAM_WRITE_BYTES, 20L);
  }

  private FileData write(ObjectStore store) throws IOException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (StripedOutputStream out =
        new StripedOutputStream(store, Fixture.file(), publisher, fixture.pool, settings)) {
      out.write(new byte[20], 0, 20);
    }
    return publisher.published;
  }
}
