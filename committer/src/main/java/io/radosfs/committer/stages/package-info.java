// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol, cut into stages: each takes arguments and gives a result. The shells for Hadoop and
 * Spark call {@link io.radosfs.committer.stages.SetupJobStage}, {@link
 * io.radosfs.committer.stages.CommitTaskStage}, {@link io.radosfs.committer.stages.AbortTaskStage},
 * {@link io.radosfs.committer.stages.CommitJobStage} and {@link
 * io.radosfs.committer.stages.AbortJobStage}; the others are steps of these.
 */
package io.radosfs.committer.stages;
