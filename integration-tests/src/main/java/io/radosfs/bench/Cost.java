// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.workbench.OsdCounters;

/**
 * What some work took.
 *
 * @param seconds on the clock
 * @param osds what the OSDs counted of it, also what others did meanwhile
 * @param clientCpu seconds of processor of this process
 * @param betweenCpu of what stands between this process and the OSDs: a gateway, an MDS, ceph-fuse,
 *     or executors
 * @param osdCpu of OSDs on this machine
 * @param machineCpu of all processes on this machine, and of its kernel
 */
record Cost(
    double seconds,
    OsdCounters osds,
    double clientCpu,
    double betweenCpu,
    double osdCpu,
    double machineCpu) {

  /** Seconds of processor of this process and of the OSDs, where nothing stands between them. */
  double clientAndOsds() {
    return clientCpu + osdCpu;
  }
}
