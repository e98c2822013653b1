// SPDX-License-Identifier: Apache-2.0
/**
 * What the demo, the benchmark and the tests share: Spark in this process, its own figures of a
 * write, the counters of a file system, and what Ceph's command-line tools say of a cluster.
 */
package io.radosfs.workbench;
