// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import scala.collection.Seq;

/**
 * Spark's {@code FileCommitProtocol.commitJob}, whose second parameter is {@code
 * scala.collection.Seq} in Spark for Scala 2.12, and {@code scala.collection.immutable.Seq} in
 * Spark for Scala 2.13. A call compiled for one of them does not link with the other, so it is
 * looked up.
 */
final class SparksCommitJob {

  private SparksCommitJob() {}

  /** Commits the job by a protocol of Spark's own. The commits are those that Spark gave us. */
  static void call(
      FileCommitProtocol protocol, JobContext context, Seq<TaskCommitMessage> commits) {
    try {
      find().invoke(protocol, context, commits);
    } catch (Throwable e) {
      throw SparksCommitJob.<RuntimeException>asItIs(e);
    }
  }

  private static MethodHandle find() throws IllegalAccessException {
    for (Method method : FileCommitProtocol.class.getMethods()) {
      if (method.getName().equals("commitJob")) {
        return MethodHandles.publicLookup().unreflect(method);
      }
    }
    throw new NoSuchMethodError("Spark's FileCommitProtocol has no commitJob");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E asItIs(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
