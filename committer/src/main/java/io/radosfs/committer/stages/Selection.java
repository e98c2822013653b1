// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.TaskAttempt;
import java.util.Optional;
import java.util.Set;

/**
 * Which committed attempts a job's commit makes visible.
 *
 * @param exactly these, which must all have a manifest; if empty, the last committed attempt of
 *     each task
 */
public record Selection(Optional<Set<TaskAttempt>> exactly) {

  public static final Selection LAST_OF_EACH_TASK = new Selection(Optional.empty());

  public static Selection exactly(Set<TaskAttempt> attempts) {
    return new Selection(Optional.of(Set.copyOf(attempts)));
  }
}
