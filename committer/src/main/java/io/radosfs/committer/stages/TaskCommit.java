// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.TaskAttempt;

/**
 * The result of a task's commit.
 *
 * @param files committed; an attempt without any leaves no manifest
 */
public record TaskCommit(TaskAttempt attempt, int files, long bytes) {}
