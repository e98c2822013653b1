// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import picocli.CommandLine.Option;

/** The option that says which processes and jobs are taken for dead. */
final class Age {

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "1h",
      description =
          "Processes and jobs are taken for dead whose last heartbeat is older, "
              + "such as 30m or 1d (default: ${DEFAULT-VALUE}). Live ones have one "
              + "every 5 minutes.")
  private String olderThan;

  /** Now minus the age, in milliseconds since the epoch; an age of 0 takes all for dead. */
  long before() {
    long age = OptionTime.millis("--older-than", olderThan);
    if (age < 0) {
      throw new IllegalArgumentException("--older-than " + olderThan + " is negative");
    }
    return age == 0 ? Long.MAX_VALUE : System.currentTimeMillis() - age;
  }
}
