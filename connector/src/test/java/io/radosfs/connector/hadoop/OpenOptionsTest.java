// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.data.ReadPlan;
import io.radosfs.connector.data.ReadPlan.Policy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.junit.jupiter.api.Test;

class OpenOptionsTest {

  private final Configuration options = new Configuration(false);

  private Policy policy(String names) {
    options.set(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, names);
    return OpenOptions.readPlan(options).policy();
  }

  @Test
  void theFirstPolicyThatIsKnownCounts() {
    assertThat(OpenOptions.readPlan(options)).isEqualTo(ReadPlan.unknown());
    assertThat(policy("parquet, vector, random, adaptive")).isEqualTo(Policy.RANDOM);
    assertThat(policy("telepathic, Whole-File")).isEqualTo(Policy.SEQUENTIAL);
    assertThat(policy("telepathic")).isEqualTo(Policy.ADAPTIVE);
    assertThat(policy("")).isEqualTo(Policy.ADAPTIVE);
  }

  /** Hadoop's, so that one it adds is looked at. */
  @Test
  void everyPolicyOfHadoopsIsKnown() {
    for (String name : OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICIES) {
      assertThat(policy(name + ", sequential")).as(name).isEqualTo(policy(name + ", random"));
    }
  }

  /** "Set of standard options which openFile implementations MUST recognize" (Hadoop). */
  @Test
  void everyStandardOptionOfHadoopsIsKnown() {
    assertThat(OpenOptions.KNOWN).containsAll(OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS);
  }

  @Test
  void theEndOfASplitBoundsWhatIsAskedForAhead() {
    options.set(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, "1000");
    assertThat(OpenOptions.readPlan(options).aheadEnd()).isEqualTo(1000);
    options.set(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, "-1");
    assertThat(OpenOptions.readPlan(options).aheadEnd()).isEqualTo(Long.MAX_VALUE);
  }
}
