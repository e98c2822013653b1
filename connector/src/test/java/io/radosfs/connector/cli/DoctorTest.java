// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** {@code radosfs doctor}. */
class DoctorTest {

  private static final String URI = "rados://meta/";

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private Ran doctor(int status, String uri) {
    Ran ran = Ran.of(conf, "doctor", uri);
    assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(status);
    return ran;
  }

  private FaultPlan faults() {
    return cluster.client("client.admin").faults();
  }

  @Test
  void makesNoFileSystemAndLeavesNothing() {
    Ran ran = doctor(0, URI);
    assertThat(ran.out().lines()).hasSizeGreaterThan(6).allMatch(line -> line.startsWith("OK "));
    assertThat(ran.out())
        .contains("file system: none yet")
        .contains("pool meta: application not set, size 3, min_size 2");
    assertThat(cluster.objects("meta", "")).isEmpty();
  }

  /** Whatever a crash, a lost answer or a late arrival does to any of its operations. */
  @Test
  void leavesNothingWhereverItIsKilled() {
    assertThat(Ran.of(conf, "format", "--data-pool", "ec", URI).status()).isZero();
    List<Set<String>> before = names();
    int writes = cluster.log().size();
    Ran unused = doctor(0, URI);
    assertThat(
            cluster.log().entries().subList(writes, cluster.log().size()).stream()
                .filter(entry -> entry.op().write()))
        .hasSize(3)
        .allMatch(entry -> entry.op().object().startsWith("//probe/"))
        .allMatch(entry -> entry.op().summary().contains("remove"));
    for (Fault fault : List.of(Fault.LOSE_REQUEST, Fault.LOSE_ANSWER)) {
      faults().always(op -> op.write(), fault);
      assertThat(doctor(1, URI).out()).contains("FAILED   index in meta: ");
      faults().clear();
    }
    for (Fault crash : List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER, Fault.CRASH_LATE)) {
      for (String pool : List.of("meta", "ec")) {
        String user = "client." + pool + crash;
        conf.set("fs.rados.ceph.user", user);
        FaultPlan dies = cluster.client(user).faults();
        dies.always(op -> op.write() && op.pool().equals(pool), crash);
        assertThatThrownBy(() -> Ran.of(conf, "doctor", URI)).isInstanceOf(ClientCrashed.class);
      }
    }
    assertThat(cluster.landDelayedOps()).isEqualTo(2);
    assertThat(names()).isEqualTo(before);
  }

  private List<Set<String>> names() {
    return List.of(cluster.objects("meta", "").keySet(), cluster.objects("ec", "").keySet());
  }

  @Test
  void looksAtAllPools() {
    assertThat(Ran.of(conf, "format", "--data-pool", "ec", URI).status()).isZero();
    assertThat(doctor(0, URI).out())
        .contains("file system: layout version 1, data in pool ec")
        .contains("data in ec: read; an object of 4194304 bytes was written and removed");
    cluster.removePool("ec");
    assertThat(doctor(1, URI).out())
        .contains("FAILED   pool ec: ")
        .contains("`ceph osd pool create ec`");
  }

  /** Files elsewhere are as they were, and those that were there cannot be had back. */
  @Test
  void goesOnWhereAPoolOfALayoutIsGone() {
    assertThat(Ran.of(conf, "format", URI).status()).isZero();
    assertThat(Ran.of(conf, "layout", "set", "--data-pool", "ec", URI).status()).isZero();
    assertThat(doctor(0, URI).out()).contains("OK       pool ec: ").contains("data in ec: ");
    cluster.removePool("ec");
    assertThat(doctor(0, URI).out())
        .contains("OK       data in meta: ")
        .contains("WARNING  pool ec: ")
        .contains("`radosfs fsck rados://meta/`")
        .contains("`radosfs layout clear")
        .doesNotContain("FAILED");
  }

  @Test
  void tellsOfAPoolThatCannotServe() throws IOException {
    assertThat(doctor(1, "rados://none/").out())
        .contains("FAILED   pool none: ")
        .contains("`ceph osd pool create none`");
    assertThat(doctor(1, "rados://ec/").out())
        .contains("FAILED   index in ec: the pool holds no omap")
        .contains("--data-pool ec");
    cluster.setApplications("meta", "rbd");
    assertThat(doctor(1, URI).out()).contains("FAILED   file system: ").contains("belongs to rbd");
    assertThat(cluster.log().entries())
        .filteredOn(entry -> entry.op().write() && entry.op().pool().equals("meta"))
        .isEmpty();
    cluster.setApplications("meta");
    ObjectStore other = cluster.client("client.other").open("meta", "");
    other.write("thing", WriteOp.builder().createExclusive().build());
    assertThat(doctor(1, URI).out()).contains("objects of something else, such as 'thing'");
    cluster.setQuota("meta", 1);
    other.write("more", WriteOp.builder().createExclusive().build());
    other.write("one", WriteOp.builder().writeFull(java.nio.ByteBuffer.allocate(1)).build());
    assertThat(doctor(1, URI).out()).contains("FAILED   pool meta: ").contains("it is full");
  }

  @Test
  void tellsWhatTheUserMayNotDo() {
    faults().always(op -> op.write(), Fault.failWith(Kind.PERMISSION_DENIED));
    assertThat(doctor(1, URI).out())
        .contains("FAILED   index in meta: ")
        .contains("osd 'allow rw pool=meta'")
        .contains("FAILED   data in meta: ")
        .contains("OK       pool meta");
  }

  @Test
  void tellsOfTheCluster() {
    cluster.setStatus(
        new ClusterStatus(
            "HEALTH_WARN",
            Map.of("MON_CLOCK_SKEW", "clock skew detected on mon.b", "OSD_DOWN", "1 osds down"),
            3,
            List.of("a", "b")));
    assertThat(doctor(0, URI).out())
        .contains("WARNING  cluster: HEALTH_WARN, 2 of 3 monitors in quorum (a, b): clock skew")
        .contains("1 osds down")
        .contains("WARNING  clocks: clock skew detected on mon.b: have all machines");
  }

  @Test
  void printsObjects() throws IOException {
    Ran ran = Ran.of(conf, "doctor", "--json", "rados://none/");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.objects())
        .anyMatch(
            found ->
                found.get("subject").asText().equals("pool none")
                    && found.get("result").asText().equals("FAILED")
                    && found.get("detail").asText().contains("no pool 'none'"));
  }
}
