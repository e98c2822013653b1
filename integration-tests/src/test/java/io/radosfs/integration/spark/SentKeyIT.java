// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.RadosPlugin;
import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.config.Options;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.SparkEnvironment;
import io.radosfs.integration.programs.Told;
import io.radosfs.integration.programs.WatchedApp;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's key that comes from the driver, as its executors find none: no web page of the driver
 * shows it. Logs and the event log are looked at by the suite of {@code scripts/test --matrix}.
 */
class SentKeyIT {

  private static final Pattern KEY = Pattern.compile("key = (\\S+)");

  /** Those of the browser. */
  private static final List<String> PAGES =
      List.of(
          "/jobs/",
          "/stages/",
          "/storage/",
          "/environment/",
          "/executors/",
          "/executors/threadDump/?executorId=driver",
          "/executors/threadDump/?executorId=0",
          "/SQL/",
          "/metrics/json/");

  /** Those of the REST API, below the application's. */
  private static final List<String> OF_THE_APPLICATION =
      List.of("", "/environment", "/allexecutors", "/jobs", "/stages", "/sql");

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private CephCluster.User user;

  @TempDir Path folder;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
    user = ceph.createUser("sent-key", "mon", "allow r", "osd", "allow rw pool=" + pool);
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
    ceph.ceph("auth", "rm", user.entity());
  }

  /** Of an application of two executors; where they look for a keyring there is none. */
  private Map<String, String> settings(String uri) throws Exception {
    List<String> conf = Files.readAllLines(ceph.conf());
    Path withoutKeys = folder.resolve("ceph.conf");
    Files.write(withoutKeys, conf.stream().filter(line -> !line.contains("keyring")).toList());
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.master", "local-cluster[2,1,640]");
    settings.put("spark.app.name", "sent key");
    settings.put("spark.driver.host", "127.0.0.1");
    settings.put("spark.driver.bindAddress", "127.0.0.1");
    settings.put("spark.local.dir", folder.resolve("local").toString());
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.extraClassPath", Program.classPath());
    settings.put("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    settings.put("spark.executorEnv.CEPH_KEYRING", folder.resolve("no-keyring").toString());
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1");
    settings.put("spark.authenticate", "true");
    settings.put("spark.authenticate.secret", UUID.randomUUID().toString());
    settings.put("spark.network.crypto.enabled", "true");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.plugins", RadosPlugin.class.getName());
    settings.put("spark.hadoop." + CommitterOptions.PLUGIN_CHECK.key(), uri);
    settings.put("spark.hadoop." + Options.CEPH_CONF.key(), withoutKeys.toString());
    settings.put("spark.hadoop." + Options.CEPH_USER.key(), user.entity());
    return settings;
  }

  @Test
  void noPageOfTheDriverShowsTheKeyThatItSends() throws Exception {
    String uri = "rados://" + pool + "/";
    Matcher key = KEY.matcher(Files.readString(user.keyring()));
    assertThat(key.find()).isTrue();
    Map<String, String> environment = SparkEnvironment.of(folder, "127.0.0.1");
    environment.put("CEPH_KEYRING", user.keyring().toString());
    try (Program driver = Program.start(folder, WatchedApp.class, settings(uri), environment)) {
      assertThat(driver.answer()).isEqualTo(Told.DONE);
      WebPages pages = new WebPages(URI.create(driver.answer()));
      driver.tell("write " + uri + "table");
      assertThat(driver.answer()).as("by executors that have the key").isEqualTo(Told.DONE);

      String application = pages.application();
      assertThat(pages.get(application + "/environment"))
          .as("settings are shown")
          .contains("spark.executorEnv.CEPH_KEYRING", user.entity());
      assertThat(new ObjectMapper().readTree(pages.get(application + "/allexecutors")))
          .as("the driver and two executors")
          .hasSize(3);
      for (String page : PAGES) {
        assertThat(pages.get(page)).as(page).isNotEmpty().doesNotContain(key.group(1));
      }
      for (String page : OF_THE_APPLICATION) {
        assertThat(pages.get(application + page)).as(page).doesNotContain(key.group(1));
      }
    }
  }
}
