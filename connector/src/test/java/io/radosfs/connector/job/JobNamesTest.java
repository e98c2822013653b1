// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.radosfs.connector.layout.IndexHead;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobNamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "a/b",
        "a\0b",
        "my job",
        "a\tb",
        "a\nb",
        "a\u2003b",
        "a~0123456789abcdef01234567"
      })
  void refusesWhatCannotBeToldApartWhereItIsStored(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobNames.check("job", name))
        .withMessageContaining("job id");
  }

  /** A head holds the id of the job that has locked its directory as it is. */
  @ParameterizedTest
  @ValueSource(strings = {"job_20261123_0001", "größe", "p=1+2%20"})
  void whatIsAllowedCanBeReadBackFromAHead(String name) throws Exception {
    IndexHead head = IndexHead.frozen(JobNames.check("job", name));
    assertThat(IndexHead.decode("d/", head.encode())).isEqualTo(head);
  }
}
