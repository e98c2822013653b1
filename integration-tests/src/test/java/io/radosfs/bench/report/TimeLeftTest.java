// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TimeLeftTest {

  @Test
  void theRestTakesAsLongAsWhatIsDone() {
    assertThat(new TimeLeft(10).after(4, Duration.ofSeconds(8))).contains(Duration.ofSeconds(12));
  }

  @Test
  void nothingIsKnownBeforeAnythingIsDone() {
    assertThat(new TimeLeft(10).after(0, Duration.ofSeconds(8))).isEmpty();
  }

  @Test
  void nothingIsLeftInTheEnd() {
    assertThat(new TimeLeft(10).after(10, Duration.ofSeconds(8))).contains(Duration.ZERO);
    assertThat(new TimeLeft(10).after(11, Duration.ofSeconds(8))).contains(Duration.ZERO);
  }

  @Test
  void peopleReadSecondsMinutesAndHours() {
    assertThat(TimeLeft.text(Duration.ofSeconds(89))).isEqualTo("89 s");
    assertThat(TimeLeft.text(Duration.ofSeconds(100))).isEqualTo("2 min");
    assertThat(TimeLeft.text(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
  }

  @Test
  void eachPartIsEstimatedByItself() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    AtomicLong clock = new AtomicLong();
    TimeTold progress =
        new TimeTold(new PrintStream(printed, true, StandardCharsets.UTF_8), clock::get);

    progress.begin("slow", 2);
    clock.addAndGet(Duration.ofMinutes(10).toNanos());
    progress.done(1, "one");
    progress.begin("fast", 4);
    clock.addAndGet(Duration.ofSeconds(30).toNanos());
    progress.done(3, "%.1f MiB/s", 1.25);

    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "[slow 1/2, about 10 min left] one", "[fast 3/4, about 10 s left] 1.3 MiB/s");
  }
}
