// SPDX-License-Identifier: Apache-2.0
/**
 * The numbers of this process that monitoring systems get: one list of them, {@link
 * io.radosfs.connector.metrics.ProcessMetrics}, for Hadoop's metrics and for Spark's. What counts
 * them is elsewhere: the stores, the buffers, the mounts, the committer.
 */
package io.radosfs.connector.metrics;
