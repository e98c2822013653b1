// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The time in an option, written as in Hadoop's settings: 30m, 1d, or a number of seconds. */
final class OptionTime {

  private OptionTime() {}

  /**
   * The same, for a command that tells what a time looks like.
   *
   * @throws ParameterException if it is no time
   */
  static long millis(CommandSpec command, String option, String time) {
    try {
      return millis(option, time);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(), option + " " + time + ": a time, such as 30m, 12h or 7d");
    }
  }

  /**
   * @throws IllegalArgumentException if it is no time
   */
  static long millis(String option, String time) {
    Configuration parser = new Configuration(false);
    parser.set(option, time);
    return parser.getTimeDuration(option, 0, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
  }
}
