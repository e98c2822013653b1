// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.stages.AbortJobStage;
import io.radosfs.committer.stages.Job;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this driver was told of the commit of its job. Engines abort a job whose commit has thrown
 * something, and then tell their user that failure, which may leave open whether the job is
 * committed. The abort finds it out, and tells it by the same failure.
 *
 * <p>They abort a job, too, where something of their own fails after its commit has returned. Then
 * there is nothing to find out.
 */
public final class OwnCommit {

  private static final Logger LOG = LoggerFactory.getLogger(OwnCommit.class);

  private final AtomicBoolean aborted = new AtomicBoolean();
  private volatile boolean made;
  private volatile Optional<Throwable> failure = Optional.empty();

  /** Runs a commit, and remembers what came of it. */
  public <T> T run(CallableRaisingIOE<T> commit) throws IOException {
    try {
      T result = commit.apply();
      made = true;
      return result;
    } catch (Throwable e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  /**
   * Whether a commit has returned, so that the job is not to be aborted, and may not be counted as
   * that. The log says so.
   *
   * @param job for the log
   */
  public boolean isMade(Object job) {
    if (made) {
      LOG.warn(
          "{} is committed: all its files are visible, and stay so. What has failed since, as"
              + " statistics of the engine, does not undo that. Do not run it again: if it appends,"
              + " its output would be there twice",
          job);
    }
    return made;
  }

  /** Whether no abort of the job has been counted yet: engines abort some twice. */
  boolean isFirstAbort() {
    return aborted.compareAndSet(false, true);
  }

  /** Tells by the failure of the commit, if it has failed, what the abort has found. Once. */
  void found(Job job, AbortJobStage.Ended ended) {
    if (failure.isPresent() && ended.isShown()) {
      failure.get().addSuppressed(new IOException(job + " " + verdict(ended.outcome())));
      failure = Optional.empty();
    }
  }

  private static String verdict(AbortJobStage.Outcome outcome) {
    return switch (outcome) {
      case COMMITTED ->
          "was found COMMITTED by its abort: all its files are visible. Do not run it again: if it"
              + " appends, its output would be there twice";
      case ABORTED -> "was found ABORTED: nothing of it is visible, and it may be run again";
    };
  }
}
