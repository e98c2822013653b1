// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class UndeletedTest {

  private final Undeleted undeleted = new Undeleted();

  private void fail(int directories) throws IOException {
    for (int k = 0; k < directories; k++) {
      FsPath directory = new FsPath(String.format("t/p=%03d", k));
      undeleted.tryToDelete(
          directory,
          () -> {
            throw new IOException("damaged line in " + directory);
          });
    }
  }

  /** It becomes one line of a log. */
  @Test
  void ofVeryManyDirectoriesTheFirstAreNamed() throws IOException {
    fail(1000);
    Throwable failure = undeleted.failure().orElseThrow();
    assertThat(failure).hasMessage("damaged line in /t/p=000");
    assertThat(failure.getSuppressed()).hasSizeLessThan(20);
    assertThat(undeleted.toString())
        .startsWith("/t/p=000, /t/p=001, ")
        .endsWith("/t/p=009 and 990 directories more");
    assertThat(undeleted.isListedAbove(new FsPath("t/p=999/q"))).isTrue();
  }

  @Test
  void fewAreAllNamed() throws IOException {
    fail(2);
    assertThat(undeleted).hasToString("/t/p=000, /t/p=001");
  }
}
