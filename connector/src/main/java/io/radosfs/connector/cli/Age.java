// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that says which processes and jobs are taken for dead. */
final class Age {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "1h",
      description =
          "Processes and jobs are taken for dead whose last heartbeat is older, "
              + "such as 30m or 1d (default: ${DEFAULT-VALUE}). Live ones have one "
              + "every 5 minutes: with less than 20m a live one may be taken for dead, and what it "
              + "is writing fails. 0 takes all for dead.")
  private String olderThan;

  /**
   * Now minus the age, in milliseconds since the epoch; an age of 0 takes all for dead.
   *
   * @throws ParameterException if the age is no time, or negative
   */
  long before() {
    long age = OptionTime.millis(spec, "--older-than", olderThan);
    if (age < 0) {
      throw new ParameterException(spec.commandLine(), "--older-than " + olderThan + ": 0 or more");
    }
    return age == 0 ? Long.MAX_VALUE : System.currentTimeMillis() - age;
  }
}
