// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.command.DataWritingCommandExec;
import org.apache.spark.sql.util.QueryExecutionListener;
import scala.collection.Iterator;

/** Spark's own figures of the writes of a session, in the order in which they ended. */
public final class WriteMetrics implements QueryExecutionListener {

  /**
   * One write.
   *
   * @param commitJobMillis what Spark's driver spent in the protocol's commitJob
   */
  public record Write(long files, long bytes, long rows, long commitJobMillis) {}

  private final BlockingQueue<Write> writes = new LinkedBlockingQueue<>();

  @Override
  public void onSuccess(String function, QueryExecution execution, long nanos) {
    find(execution.executedPlan()).map(WriteMetrics::of).ifPresent(writes::add);
  }

  @Override
  public void onFailure(String function, QueryExecution execution, Exception failure) {}

  /** What was reported and nobody asked for is none of the next write's. */
  public void forget() {
    writes.clear();
  }

  /** The figures of the next write; Spark reports them a moment after the write returns. */
  public Write next() throws InterruptedException {
    Write write = writes.poll(30, TimeUnit.SECONDS);
    if (write == null) {
      throw new IllegalStateException("Spark reported no metrics of a write");
    }
    return write;
  }

  private static Optional<DataWritingCommandExec> find(SparkPlan plan) {
    if (plan instanceof DataWritingCommandExec command) {
      return Optional.of(command);
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return find(adaptive.executedPlan());
    }
    Optional<DataWritingCommandExec> found = Optional.empty();
    Iterator<SparkPlan> children = plan.children().iterator();
    while (found.isEmpty() && children.hasNext()) {
      found = find(children.next());
    }
    return found;
  }

  private static Write of(DataWritingCommandExec command) {
    return new Write(
        metric(command, "numFiles"),
        metric(command, "numOutputBytes"),
        metric(command, "numOutputRows"),
        metric(command, "jobCommitTime"));
  }

  private static long metric(DataWritingCommandExec command, String name) {
    return command.metrics().apply(name).value();
  }
}
