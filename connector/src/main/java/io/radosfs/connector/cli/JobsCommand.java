// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import picocli.CommandLine.Command;

/** {@code radosfs jobs <verb>}. */
@Command(
    name = "jobs",
    header = "Looks at jobs, and ends those whose driver has died.",
    description =
        "Looks at jobs that write, or wrote, to a directory or below it, and brings those to an end"
            + " whose driver has died.",
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      JobsListCommand.class,
      JobsShowCommand.class,
      JobsRecoverCommand.class,
      JobsAbortCommand.class,
    })
final class JobsCommand {}
