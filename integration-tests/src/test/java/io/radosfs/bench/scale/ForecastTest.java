// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.radosfs.bench.scale.Forecast.Limit;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ForecastTest {

  private final JobSize size = new JobSize(100_000, 0, 1_000, 10, 0);

  /** Three operations a file, two of them on the record. */
  private static Map<Quantity, ScaleModel> models() {
    Map<Quantity, ScaleModel> models = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      models.put(quantity, new ScaleModel(1, Map.of()));
    }
    models.put(Quantity.OPERATIONS, new ScaleModel(0, Map.of(Term.FILES, 3.0)));
    models.put(Quantity.OF_TASKS, new ScaleModel(0, Map.of(Term.FILES, 2.0)));
    models.put(Quantity.COMMIT_SECONDS, new ScaleModel(0, Map.of(Term.FILES, 1e-5)));
    return models;
  }

  private Forecast forecast(double ofOneObject) {
    return new Forecast(size, 100, 4, models(), new Rates(ofOneObject, 1e-4, 2e-4));
  }

  @Test
  void eachLimitHasItsTime() {
    Map<Limit, Double> seconds = forecast(2_000).seconds();

    assertThat(seconds.get(Limit.RECORD)).isCloseTo(200_000 / 2_000.0, within(1e-9));
    assertThat(seconds.get(Limit.OSDS)).isCloseTo(300_000 * 2e-4 / 100, within(1e-9));
    assertThat(seconds.get(Limit.EXECUTORS)).isCloseTo(300_000 * 1e-4 / 40, within(1e-9));
    assertThat(seconds.get(Limit.COMMIT)).isCloseTo(1, within(1e-9));
  }

  @Test
  void theSlowestOfTheTasksCountsAndTheCommitComesAfter() {
    assertThat(forecast(2_000).first()).isEqualTo(Limit.RECORD);
    assertThat(forecast(2_000).total()).isCloseTo(101, within(1e-9));
    assertThat(forecast(1e9).first()).isEqualTo(Limit.COMMIT);
    assertThat(forecast(1e9).total()).isCloseTo(1.75, within(1e-9));
  }

  @Test
  void theRecordIsWantedInAsManyObjectsAsTheOsdsAreFaster() {
    Forecast forecast = forecast(2_000);

    assertThat(forecast.filesOfTheRecord()).isCloseTo(1_000, within(1e-6));
    assertThat(forecast.filesOfOsds(1)).isCloseTo(1 / 6e-4, within(1e-6));
    assertThat(forecast.osdCoresOfTheRecord()).isCloseTo(0.6, within(1e-9));
    assertThat(forecast.recordsWanted()).isEqualTo(167);
    assertThat(forecast(1e9).recordsWanted()).isEqualTo(1);
  }

  @Test
  void itsTextsHaveItsNumbers() {
    Forecast forecast = forecast(2_000);

    assertThat(forecast.question())
        .isEqualTo(
            "A job of 100,000 files, 1,000 tasks, 10 executors, on 100 OSDs, with 4 cores for each"
                + " executor");
    assertThat(forecast.answer()).startsWith("300,000 operations").contains("101 s");
    assertThat(forecast.parts()).contains("100 s").contains("0.60 s");
  }

  @Test
  void ratesOfNothingAreRefused() {
    assertThatThrownBy(() -> new Rates(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
