// SPDX-License-Identifier: Apache-2.0
/**
 * The committer for Hadoop's {@code PathOutputCommitter} interface, and what it shares with the one
 * for Spark: settings, and the translation from Hadoop's paths to a job.
 */
package io.radosfs.committer;
