// SPDX-License-Identifier: Apache-2.0
/**
 * The commit protocol in stages, each with arguments and a result. The shells for Hadoop and Spark
 * call {@link io.radosfs.committer.stages.SetupJobStage}, {@link
 * io.radosfs.committer.stages.CommitTaskStage}, {@link io.radosfs.committer.stages.AbortTaskStage},
 * {@link io.radosfs.committer.stages.CommitJobStage} and {@link
 * io.radosfs.committer.stages.AbortJobStage}; the others are steps of these.
 */
package io.radosfs.committer.stages;
