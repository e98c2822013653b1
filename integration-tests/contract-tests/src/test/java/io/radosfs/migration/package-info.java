// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the page on migration that need Hadoop as it is unshaded: a real HDFS and DistCp. They
 * run where Hadoop's suites do, on the simulation and on a real Ceph, and are none of them.
 */
package io.radosfs.migration;
