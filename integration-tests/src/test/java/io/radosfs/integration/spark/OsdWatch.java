// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.workbench.OsdCounters;

/** What the OSDs counted of their clients' operations since this was made, in all pools. */
final class OsdWatch {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CephCluster ceph;
  private final OsdCounters before;

  OsdWatch(CephCluster ceph) {
    this.ceph = ceph;
    this.before = now();
  }

  OsdCounters counted() {
    return now().minus(before);
  }

  private OsdCounters now() {
    OsdCounters sum = OsdCounters.NONE;
    for (JsonNode osd : json("osd", "ls")) {
      sum = sum.plus(OsdCounters.of(json("tell", "osd." + osd.asInt(), "perf", "dump", "osd")));
    }
    return sum;
  }

  private JsonNode json(String... arguments) {
    String[] command = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, command, 0, arguments.length);
    command[arguments.length] = "--format";
    command[arguments.length + 1] = "json";
    try {
      return JSON.readTree(ceph.ceph(command));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(String.join(" ", command), e);
    }
  }
}
