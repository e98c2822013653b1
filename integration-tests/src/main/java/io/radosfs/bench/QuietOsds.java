// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

/**
 * Loads that begin after a pause. OSDs go on working for a while after the last answer (compaction,
 * freeing what was removed), and what comes next would pay for it.
 */
final class QuietOsds {

  private static final Duration PAUSE = Duration.ofMillis(1500);

  private QuietOsds() {}

  /** One after the other, each after a pause. */
  static void run(List<Costs.Work> loads) throws Exception {
    for (Costs.Work load : loads) {
      pause();
      load.run();
    }
  }

  static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between two loads");
    }
  }
}
