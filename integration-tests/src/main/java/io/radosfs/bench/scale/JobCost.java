// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

/**
 * What a job took, of all that is counted of it.
 *
 * @param operations that the OSDs counted
 * @param sent operations, by the counters of the processes that sent them
 * @param ofTasks index operations among these that executors sent: but for a few as they connect,
 *     all are on the record of the job, one object
 * @param bytesWritten bytes of data that the OSDs counted
 * @param omapBytes bytes of omap keys and values, by the processes' counters
 * @param indexObjects what there is in its file system afterwards that is no data of a file
 * @param clientCpu seconds of processor of driver and executors
 */
public record JobCost(
    long operations,
    long sent,
    long ofTasks,
    long bytesWritten,
    long omapBytes,
    int indexObjects,
    double taskSeconds,
    double commitSeconds,
    double clientCpu,
    double osdCpu) {}
