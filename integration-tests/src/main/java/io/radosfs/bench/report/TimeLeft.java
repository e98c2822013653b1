// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.time.Duration;
import java.util.Optional;

/**
 * How long the rest of some work takes, if it goes on as fast as until now.
 *
 * @param total units of work, as large as each other as far as one knows before
 */
record TimeLeft(long total) {

  /** Nothing while nothing is done. */
  Optional<Duration> after(long done, Duration elapsed) {
    if (done <= 0) {
      return Optional.empty();
    }
    double rest = Math.max(0, total - done) / (double) done;
    return Optional.of(Duration.ofMillis(Math.round(elapsed.toMillis() * rest)));
  }

  /** For people, who need to know it roughly. */
  static String text(Duration left) {
    long seconds = left.toSeconds();
    if (seconds < 90) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 90 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
