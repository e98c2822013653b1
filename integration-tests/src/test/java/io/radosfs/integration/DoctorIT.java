// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code radosfs doctor} on a real cluster, of whatever release the tests run with. */
class DoctorIT {

  @TempDir Path here;

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private int status;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
  }

  /** The findings, by their subjects. */
  private Map<String, JsonNode> doctor(CephCluster.User user) throws IOException {
    return doctor(ceph.conf().toString(), user.entity(), user.keyring().toString());
  }

  private Map<String, JsonNode> doctor(String conf, String user, String keyring)
      throws IOException {
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said);
    status =
        Radosfs.run(
            both,
            both,
            "doctor",
            "--json",
            "-Dfs.rados.ceph.conf=" + conf,
            "-Dfs.rados.ceph.user=" + user,
            "-Dfs.rados.ceph.keyring=" + keyring,
            "rados://" + pool + "/");
    Map<String, JsonNode> findings = new LinkedHashMap<>();
    for (String line : said.toString().lines().toList()) {
      JsonNode finding = new ObjectMapper().readTree(line);
      assertThat(findings.put(finding.get("subject").asText(), finding)).as(line).isNull();
    }
    return findings;
  }

  @Test
  void findsAllThatAJobNeeds() throws IOException {
    Map<String, JsonNode> findings =
        doctor(ceph.createUser("doctor", "mon", "allow r", "osd", "allow rw pool=" + pool));
    assertThat(status).as(findings.toString()).isZero();
    assertThat(findings.keySet())
        .containsExactly(
            "settings",
            "library",
            "configuration",
            "key",
            "monitors",
            "cluster",
            "clocks",
            "pool " + pool,
            "file system",
            "index in " + pool,
            "data in " + pool);
    findings.remove("cluster"); // Its health is other tests' too.
    findings.remove("pool " + pool); // A cluster of one OSD has one copy.
    assertThat(findings.values()).allMatch(finding -> result(finding).equals("OK"));
    assertThat(ceph.rados(pool, "--all", "ls")).as("what it left").isBlank();
  }

  /** Reading alone does not do, and each line says what is missing. */
  @Test
  void saysWhatAUserMayNotDo() throws IOException {
    Map<String, JsonNode> findings =
        doctor(ceph.createUser("reader", "mon", "allow r", "osd", "allow r pool=" + pool));
    assertThat(status).isEqualTo(1);
    for (String subject : List.of("index in " + pool, "data in " + pool)) {
      assertThat(result(findings.get(subject))).isEqualTo("FAILED");
      assertThat(detail(findings.get(subject)))
          .contains("is not allowed to do this in pool '" + pool + "'")
          .contains("mon 'allow r' osd 'allow rw pool=" + pool + "'")
          .containsOnlyOnce("`ceph auth get ")
          .containsOnlyOnce("`ceph auth caps`");
    }
    assertThat(result(findings.get("file system"))).isEqualTo("OK");
  }

  /** What would connect with it is not tried. */
  @Test
  void saysWhichFileIsNotThere() throws IOException {
    String none = here.resolve("none").toString();
    Map<String, JsonNode> findings = doctor(none, "client.admin", none);
    assertThat(status).isEqualTo(1);
    assertThat(findings.keySet()).containsExactly("settings", "library", "configuration");
    assertThat(result(findings.get("library"))).isEqualTo("OK");
    assertThat(result(findings.get("configuration"))).isEqualTo("FAILED");
    assertThat(detail(findings.get("configuration")))
        .contains("cannot read " + none + ", which fs.rados.ceph.conf names: put the cluster's");
    findings = doctor(ceph.conf().toString(), "client.nobody", none);
    assertThat(status).isEqualTo(1);
    assertThat(findings.keySet()).containsExactly("settings", "library", "configuration", "key");
    assertThat(result(findings.get("configuration"))).isEqualTo("OK");
    assertThat(result(findings.get("key"))).isEqualTo("FAILED");
    assertThat(detail(findings.get("key")))
        .contains("client.nobody")
        .contains(none)
        .contains("fs.rados.ceph.keyring");
  }

  private static String detail(JsonNode finding) {
    return finding.get("detail").asText();
  }

  private static String result(JsonNode finding) {
    return finding.get("result").asText();
  }
}
