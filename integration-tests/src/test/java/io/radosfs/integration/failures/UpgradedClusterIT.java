// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.OwnCephCluster;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A cluster is upgraded in place, one daemon after another, while a reader with one connection goes
 * on; jobs are committed before and after each step. This JVM keeps its librados.
 */
@EnabledIfSystemProperty(
    named = UpgradedClusterIT.RELEASES,
    matches = ".+",
    disabledReason = "needs Ceph's releases on this machine: scripts/test --upgrade installs them")
class UpgradedClusterIT {

  /** The releases that the cluster has one after another, such as {@code 16,18,20}. */
  static final String RELEASES = "ceph.upgrade";

  private static final int OSDS = 3;
  private static final int FIRST_WITH_TYPED_KEYS = 20;
  private static final String INSECURE_KEYS = "AUTH_INSECURE_";
  private static final List<Integer> LENGTHS = List.of(0, 10, 100_000, (3 << 20) + 1);

  private static List<Integer> releases;
  private static OwnCephCluster own;

  private final Map<String, byte[]> kept = new TreeMap<>();
  private JobFiles files;
  private int jobs;

  @BeforeAll
  static void startCluster() {
    releases = Stream.of(System.getProperty(RELEASES).split(",")).map(Integer::valueOf).toList();
    own = OwnCephCluster.startHere(OSDS, releases.get(0));
  }

  @AfterAll
  static void stopCluster() {
    if (own != null) {
      own.close();
    }
  }

  @Test
  void filesAreReadAndJobsCommittedAllTheWay() throws Exception {
    String pool = "upgraded";
    own.ceph().ceph("osd", "pool", "create", pool, "16");
    own.ceph().ceph("osd", "pool", "application", "enable", pool, "radosfs");
    Configuration conf = JobFiles.configuration(own.ceph());
    conf.set("fs.rados.object.size", "1M");
    files = new JobFiles(own.ceph(), pool, conf);
    writeKept();
    commitJob();

    Configuration readers = new Configuration(conf);
    // Settings that differ in anything have a connection of their own.
    readers.set("fs.rados.ceph.client_mount_timeout", "100");
    try (SteadyReader reader = new SteadyReader(pool, readers, kept)) {
      for (int release : releases.subList(1, releases.size())) {
        long before = reader.rounds();
        for (String daemon : List.of("mon.a", "mgr.x", "osd.1")) {
          own.beginUpgrade(release, OSDS, daemon);
        }
        own.upgrade(release);
        assertThat(own.ceph().ceph("versions")).contains("ceph version " + release + ".");
        assertThat(reader.rounds()).as("readings during the upgrade").isGreaterThan(before);
        writeKept();
        commitJob();
        reader.assertFine();
      }
      if (releases.contains(FIRST_WITH_TYPED_KEYS)) {
        assertThat(unmutedErrors()).isNotEmpty().allMatch(code -> code.startsWith(INSECURE_KEYS));
        commitJob();
      }
      reader.awaitRounds(2);
      reader.assertFine();
    }

    try (Mount mount = Mount.openExisting(Authority.of(URI.create("rados://" + pool)), conf)) {
      assertThat(mount.check().run(true).findings()).isEmpty();
    }
    files.pool().assertCleanAfterCollection();
  }

  /** Files that stay, of this step. */
  private void writeKept() throws IOException {
    int step = kept.size() / LENGTHS.size();
    for (int length : LENGTHS) {
      byte[] content = new byte[length];
      new Random(step * 31L + length).nextBytes(content);
      String path = "kept/step-" + step + "/" + length;
      files.write(path, content);
      synchronized (kept) {
        kept.put(path, content);
      }
    }
  }

  /** A job that replaces the table by one file more than it had. */
  private void commitJob() throws IOException {
    jobs++;
    byte[] content = new byte[50_000];
    new Random(jobs).nextBytes(content);
    ProtocolJob job = files.overwrite("table");
    List<TaskCommitMessage> messages = new ArrayList<>();
    for (int task = 0; task < jobs; task++) {
      messages.add(job.attempt(task, 0).write(content).close().commit());
    }
    job.commit(messages);
    files.assertFiles("table", content, jobs);
  }

  /**
   * The codes for which the cluster is HEALTH_ERR, once nothing is muted any more.
   *
   * @return none if it is not
   */
  private static List<String> unmutedErrors() throws IOException {
    JsonNode muted = new ObjectMapper().readTree(own.ceph().ceph("health", "--format", "json"));
    for (JsonNode mute : muted.path("mutes")) {
      own.ceph().ceph("health", "unmute", mute.get("code").asText());
    }
    JsonNode health = new ObjectMapper().readTree(own.ceph().ceph("health", "--format", "json"));
    assertThat(health.get("status").asText()).isEqualTo("HEALTH_ERR");
    List<String> errors = new ArrayList<>();
    health
        .get("checks")
        .fields()
        .forEachRemaining(
            check -> {
              if (check.getValue().get("severity").asText().equals("HEALTH_ERR")) {
                errors.add(check.getKey());
              }
            });
    return errors;
  }
}
