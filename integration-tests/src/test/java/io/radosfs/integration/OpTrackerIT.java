// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.committer.Destination;
import io.radosfs.committer.stages.AbortJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.access.ClusterAccess;
import io.radosfs.connector.docs.PageSection;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who an OSD works for, as committer/docs/metrics.md says it: from what the OSDs have done to the
 * path, the job, the user and the process.
 */
class OpTrackerIT {

  private static final String PAGE = "committer/docs/metrics.md";
  private static final String SECTION = "Which job is it that an OSD is slow for";
  private static final String NAME = "part-00000-x.parquet";

  private static final int MOST_LOOKS = 300;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CephCluster ceph = CephCluster.shared();
  private final Configuration conf = new Configuration();
  private CephCluster.User user;
  private String pool;
  private String poolId;

  @BeforeEach
  void makePool() throws IOException {
    pool = ceph.createPool();
    poolId = json("osd", "pool", "stats", pool).get(0).get("pool_id").asText();
    user = ceph.createUser("tracked", "mon", "allow r", "osd", "allow rw pool=" + pool);
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    // By default the twenty slowest of ten minutes.
    eachOsd("config", "set", "osd_op_history_size", "10000");
  }

  @AfterEach
  void removePool() throws IOException {
    eachOsd("config", "set", "osd_op_history_size", "20");
    ceph.deletePool(pool);
  }

  private List<String> eachOsd(String... command) throws IOException {
    List<String> told = new ArrayList<>();
    for (JsonNode osd : json("osd", "ls")) {
      List<String> words = new ArrayList<>(List.of("tell", "osd." + osd.asInt()));
      words.addAll(List.of(command));
      told.add(ceph.ceph(words.toArray(String[]::new)));
    }
    return told;
  }

  private JsonNode json(String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of("--format", "json"));
    return JSON.readTree(ceph.ceph(words.toArray(String[]::new)));
  }

  /** The clients that did an operation on this object, in any of the OSDs' histories. */
  private Set<String> clientsOf(String object) throws IOException {
    Set<String> clients = new TreeSet<>();
    // An operation is told as osd_op(client.4.0:1 2.1f 2:f8...:::name:head ...), with the pool
    // before the point.
    Pattern of = Pattern.compile(" " + poolId + ":[0-9a-f]+:.*:" + Pattern.quote(object) + ":head");
    for (String told : eachOsd("dump_historic_ops")) {
      for (JsonNode op : JSON.readTree(told).get("ops")) {
        JsonNode client = op.path("type_data").path("client_info");
        if (of.matcher(op.get("description").asText()).find()) {
          clients.add(client.get("client").asText() + " at " + client.get("client_addr").asText());
        }
      }
    }
    return clients;
  }

  /** A thread of the OSD puts operations into its history, some of them a little later. */
  private Set<String> awaitClientsOf(String object) throws IOException, InterruptedException {
    Set<String> clients = clientsOf(object);
    for (int looks = 1; clients.isEmpty() && looks < MOST_LOOKS; looks++) {
      Thread.sleep(100);
      clients = clientsOf(object);
    }
    return clients;
  }

  @Test
  void anOperationLeadsToItsJobUserAndProcess() throws Exception {
    assertThat(PageSection.of(PAGE, SECTION).text())
        .contains("`ceph tell osd.0 dump_historic_ops`", "`ceph tell mon.\\* sessions`");
    Path table = new Path("rados://" + pool + "/table");
    String process;
    try (FileSystem fs = FileSystem.newInstance(table.toUri(), conf)) {
      Destination destination = new Destination(table, ((RadosFileSystem) fs).jobs());
      Job job = destination.job("job-1");
      SetupJobStage.run(
          job,
          Destination.info("job-1", "uuid-1", "JobUUID", "spark"),
          RequireEmpty.NOTHING,
          OverwriteConflict.WAIT,
          JobLease.NONE);
      try (FSDataOutputStream stream =
          fs.create(destination.workPath(job.id(), new TaskAttempt("m000000", "0"), NAME))) {
        stream.write(1);
      }
      // By the connection of the file system, as it has the same settings.
      try (ClusterAccess access = ClusterAccess.connect(conf, pool)) {
        process = access.client();
      }
      for (String object : List.of("table%2f" + NAME, "table%2f", "table%2f%2fjob%2fjob-1")) {
        assertThat(awaitClientsOf(object)).as(object).containsExactly(process);
      }
      assertThat(
              session(process.replaceAll("client\\.(\\d+) .*", "$1")).get("entity_name").asText())
          .isEqualTo(user.entity());
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    }
  }

  private JsonNode session(String number) throws IOException {
    for (JsonNode session : json("tell", "mon.*", "sessions")) {
      if (session.get("global_id").asText().equals(number)) {
        assertThat(session.has("remote_host")).isTrue();
        return session;
      }
    }
    throw new AssertionError("no session of client " + number);
  }
}
