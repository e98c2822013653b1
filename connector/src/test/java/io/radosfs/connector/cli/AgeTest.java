// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --older-than} of those that are taken for dead. */
class AgeTest {

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("meta"));

  @Test
  void theHelpSaysWhatIsTooYoung() {
    for (String verb : new String[] {"gc", "jobs recover", "jobs abort"}) {
      Ran ran = Ran.of(conf, (verb + " --help").split(" "));
      assertThat(ran.out().replaceAll("\\s+", " "))
          .as(verb)
          .contains("with less than 20m a live one may be taken for dead");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1h"})
  void whatIsNoAgeIsNotUnderstood(String age) {
    Ran ran = Ran.of(conf, "gc", "--older-than=" + age, "rados://meta/");
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.err()).contains("--older-than " + age);
  }
}
