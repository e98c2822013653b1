// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import io.radosfs.workbench.SparkSessions;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The demo's command line. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Spark generates the TPC-H tables orders and lineitem, writes them as Parquet and as ORC"
          + " partitioned by a column, reads both back, runs TPC-H Q1 and Q12 on them and on the"
          + " generated rows, and compares the answers; then shows what happened.",
      "Ends with an error if anything is unequal."
    })
public final class Demo implements Callable<Integer> {

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "0.1",
      description = "TPC-H scale factor: 1 is about 1 GB of text (default: ${DEFAULT-VALUE})")
  private double scale;

  @Option(
      names = "--base",
      paramLabel = "URI",
      defaultValue = "rados://radosfs/demo",
      description =
          "directory to write below; an earlier demo's tables are replaced (default:"
              + " ${DEFAULT-VALUE})")
  private URI base;

  @Option(
      names = "--ceph-conf",
      paramLabel = "FILE",
      description = "ceph.conf of the cluster, for rados:// and to ask Ceph's own tools")
  private Path cephConf;

  @Option(
      names = "--shared",
      description =
          "others may write to the cluster meanwhile: the bytes that all its OSDs counted are shown,"
              + " and not held against those of the files")
  private boolean shared;

  @Option(
      names = "--bar",
      negatable = true,
      description = "a progress bar, or a line for each step (default: a bar on a terminal)")
  private Boolean bar;

  @Option(names = "--trace", description = "show the stack trace of a failure")
  private boolean trace;

  @Spec private CommandLine.Model.CommandSpec spec;

  /** Runs the demo and exits: 0 if all is equal, 1 if not, 2 for wrong arguments. */
  public static void main(String[] arguments) {
    SparkSessions.logQuietly();
    CommandLine demo = new CommandLine(new Demo());
    demo.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          System.err.println();
          System.err.println("demo failed: " + DemoFailures.message(failure));
          if (parsed.matchedOptionValue("--trace", false)) {
            failure.printStackTrace();
          } else if (!(failure instanceof UnequalException)) {
            System.err.println("(--trace shows where)");
          }
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(demo.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (!(scale > 0)) {
      throw new ParameterException(spec.commandLine(), "--scale must be more than 0");
    }
    if (base.getScheme() == null) {
      throw new ParameterException(spec.commandLine(), "--base needs a scheme: rados://POOL/PATH");
    }
    if (cephConf != null && !Files.isReadable(cephConf)) {
      throw new ParameterException(spec.commandLine(), "cannot read --ceph-conf " + cephConf);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean terminal = bar != null ? bar : System.console() != null;
    try (SparkSession spark = SparkSessions.local("*", cephConf)) {
      new DemoRun(spark, base, scale, cephConf, shared, out, terminal).run();
    }
    return CommandLine.ExitCode.OK;
  }
}
