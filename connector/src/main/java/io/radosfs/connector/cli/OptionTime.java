// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** The time in an option, written as in Hadoop's settings: 30m, 1d, or a number of seconds. */
final class OptionTime {

  private OptionTime() {}

  /**
   * @throws IllegalArgumentException if it is no time
   */
  static long millis(String option, String time) {
    Configuration parser = new Configuration(false);
    parser.set(option, time);
    return parser.getTimeDuration(option, 0, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
  }
}
