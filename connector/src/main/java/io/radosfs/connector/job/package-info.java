// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs as the connector sees them: paths under which tasks write ({@link
 * io.radosfs.connector.job.WorkPath}), the record of a job ({@link
 * io.radosfs.connector.job.JobRecord}), and what a committer gets from a file system ({@link
 * io.radosfs.connector.job.JobSupport}). The protocol itself is the committer's.
 */
package io.radosfs.connector.job;
