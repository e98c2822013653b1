// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what a shell completes verbs and options by. */
@Command(
    name = "completion",
    header = "Prints a script by which bash and zsh complete commands.",
    description =
        "Prints a script by which bash and zsh complete verbs and options, and elsewhere the names"
            + " of files. For one shell: source <(radosfs completion). For all of bash:"
            + " radosfs completion > ~/.local/share/bash-completion/completions/radosfs")
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(spec.root().name(), Radosfs.commandLine(/* terminal= */ false)));
    out.flush();
    return 0;
  }
}
