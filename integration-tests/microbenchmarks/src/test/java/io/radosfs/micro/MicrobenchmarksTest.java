// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Each runs, once. What it takes is not looked at. */
class MicrobenchmarksTest {

  @Test
  void eachRuns() throws RunnerException {
    Options once =
        new OptionsBuilder()
            .include("io.radosfs.micro")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .build();
    assertThat(new Runner(once).run()).hasSize(10);
  }
}
