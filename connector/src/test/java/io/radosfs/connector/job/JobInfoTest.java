// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class JobInfoTest {

  private static final JobInfo INFO = new JobInfo("j", "s", "spark", "4.1", "me", 5);
  private static final FsPath OUT = new FsPath("there/out");

  @Test
  void aJobIsRegisteredInItsDestinationOrRightAboveIt() throws IOException {
    assertThat(INFO.coordinator(OUT)).isEqualTo(OUT);
    assertThat(INFO.registeredIn(OUT).coordinator(OUT)).isEqualTo(OUT);
    assertThat(INFO.registeredIn(OUT.parent()).coordinator(OUT)).isEqualTo(OUT.parent());
  }

  @Test
  void aRecordThatNamesAnotherDirectoryIsNotBelieved() throws IOException {
    for (FsPath other : new FsPath[] {FsPath.ROOT, new FsPath("other"), OUT.child("below")}) {
      assertThatThrownBy(() -> INFO.registeredIn(other).coordinator(OUT))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining(other + ", which is neither its destination /there/out");
    }
  }

  @Test
  void nothingIsAboveTheRoot() throws IOException {
    assertThat(INFO.registeredIn(FsPath.ROOT).coordinator(FsPath.ROOT)).isEqualTo(FsPath.ROOT);
  }
}
