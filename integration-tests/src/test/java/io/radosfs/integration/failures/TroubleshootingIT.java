// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.integration.ChildJvm;
import io.radosfs.integration.PageCommands;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.ceph.OwnCephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Provokes, on a real Ceph, the messages of the page on troubleshooting that only it gives, and
 * runs the commands that the pages advise. On a cluster of its own: it has a pool without enough
 * copies, and one at its quota.
 */
class TroubleshootingIT {

  private static final String PAGE = "connector/docs/troubleshooting.md";
  private static final long BOUND_SECONDS = 40;

  @TempDir static java.nio.file.Path folder;

  private static OwnCephCluster own;
  private static CephCluster ceph;
  private static String pool;

  private final List<String> told = new ArrayList<>();

  @BeforeAll
  static void start() {
    own = OwnCephCluster.start(1);
    ceph = own.ceph();
    pool = ceph.createPool();
  }

  @AfterAll
  static void stop() {
    if (own != null) {
      own.close();
    }
  }

  private static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.set(Options.CEPH_CONF.key(), ceph.conf().toString());
    conf.set(Options.CEPH_USER.key(), ceph.admin().entity());
    conf.set(Options.CEPH_KEYRING.key(), ceph.admin().keyring().toString());
    return conf;
  }

  private static Configuration as(CephCluster.User user) {
    return with(
        with(configuration(), Options.CEPH_USER.key(), user.entity()),
        Options.CEPH_KEYRING.key(),
        user.keyring().toString());
  }

  private static Configuration with(Configuration conf, String key, String value) {
    conf.set(key, value);
    return conf;
  }

  private static FileSystem open(String authority, Configuration conf) throws IOException {
    return FileSystem.newInstance(URI.create("rados://" + authority + "/"), conf);
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[100]);
    }
  }

  private static java.nio.file.Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines), UTF_8);
  }

  private void tell(ThrowingCallable call) {
    told.add(ToldMessages.thrownBy(call));
  }

  private void tellOpening(Configuration conf) {
    tell(() -> open(pool, conf).close());
  }

  /** What a pool comes to answer, once a change of it has reached the OSDs. */
  private void tellOnce(ThrowingCallable call) throws InterruptedException {
    long deadline = System.nanoTime() + BOUND_SECONDS * 1_000_000_000L;
    Throwable thrown = catchThrowable(call);
    while (thrown == null) {
      assertThat(System.nanoTime()).as("no failure in time").isLessThan(deadline);
      Thread.sleep(200);
      thrown = catchThrowable(call);
    }
    told.add(thrown.getMessage());
  }

  @Test
  void reaching() throws Exception {
    String confKey = Options.CEPH_CONF.key();
    String keyringKey = Options.CEPH_KEYRING.key();
    told.add(saidWithoutConf());
    tellOpening(with(configuration(), confKey, "/no/such/ceph.conf"));
    String garbled = file("garbled.conf", "[global", "mon_host").toString();
    tellOpening(with(configuration(), confKey, garbled));
    tellOpening(with(configuration(), confKey, file("empty.conf", "[global]").toString()));
    String away = file("away.conf", "[global]", "mon_host = [v2:127.0.0.1:9]").toString();
    tellOpening(with(with(configuration(), confKey, away), Options.CONNECT_TIMEOUT.key(), "1s"));
    tellOpening(with(configuration(), keyringKey, "/no/such.keyring"));
    String wrong = "AQCbCj9n6DYqJRAA4bL2LwYkC8m9vX1y3z5ABw==";
    String entity = ceph.admin().entity();
    String keyring = file("wrong.keyring", "[" + entity + "]", "key = " + wrong).toString();
    tellOpening(with(configuration(), keyringKey, keyring));
    String none = file("none.keyring", "[" + entity + "]", "key = none").toString();
    tellOpening(with(configuration(), keyringKey, none));
    tellOpening(with(configuration(), "fs.rados.ceph.objecter_inflight_opps", "16"));
    tellOpening(with(configuration(), "fs.rados.ceph.objecter_inflight_ops", "many"));
    ToldMessages.of(PAGE, "Reaching Ceph").assertAre(told);
  }

  /** In a process of its own, as the environment says where Ceph looks. */
  private static String saidWithoutConf() throws IOException, InterruptedException {
    ProcessBuilder list = ChildJvm.of(Radosfs.class, "ls", "rados://" + pool + "/");
    list.environment().put("CEPH_CONF", folder.resolve("none.conf").toString());
    Process process = list.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isNotZero();
    String begin = "radosfs: ";
    return said.lines()
        .filter(line -> line.startsWith(begin))
        .map(line -> line.substring(begin.length()))
        .findFirst()
        .orElse(said);
  }

  /** As they stand, with what is here in place of what differs. */
  @ParameterizedTest
  @ValueSource(strings = {PAGE, "committer/docs/troubleshooting.md"})
  void theCommandsThatAPageAdvisesRun(String page) throws Exception {
    String mine = ceph.createPool();
    CephCluster.User user =
        ceph.createUser("advised", "mon", "allow r", "osd", "allow rw pool=" + mine);
    // On this machine or in a container, which has another temporary folder.
    java.nio.file.Path keyring = java.nio.file.Path.of("/tmp", mine + ".keyring");
    PageCommands commands = PageCommands.asAdmin(ceph);
    commands.run("radosfs format rados://" + mine);
    Map<String, String> rest =
        Map.of(
            "ceph auth caps", " " + user.entity() + " mon 'allow r' osd 'allow rw'",
            "ceph osd pool set-quota", " " + mine + " max_objects 1000",
            "radosfs format", " rados://other@" + mine);
    ceph.ceph("auth", "rm", "client.spark"); // which a development cluster has, with other rights
    try {
      Set<String> advised = advised(page);
      assertThat(advised).hasSizeGreaterThan(3);
      for (String command : advised) {
        String whole = command;
        if (rest.containsKey(command)) {
          whole += rest.get(command);
        } else if (command.startsWith("radosfs ") && !command.contains("://")) {
          whole += " rados://" + mine;
        }
        String here =
            whole
                .replace("<pool>", mine)
                .replace("<user>", user.entity())
                .replace("<file>", keyring.toString())
                .replace("<option>", "ms_client_mode");
        assertThat(here).as("all of it is known here").doesNotContain("<");
        commands.run(here);
      }
    } finally {
      Files.deleteIfExists(keyring);
    }
  }

  /** Those in the text; `jobs recover` is one of radosfs. What installs is run by scripts/test. */
  private static Set<String> advised(String page) {
    String text = Repository.page(page).replaceAll("(?m)^#.*$", "");
    return Pattern.compile("`((?:ceph|rados|radosfs|jobs) [^`]*)`")
        .matcher(text)
        .results()
        .map(command -> command.group(1).replaceFirst("^jobs ", "radosfs jobs "))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Test
  void answers() throws Exception {
    try (FileSystem fs = open(pool, configuration())) {
      write(fs, "/d/f");
    }
    poolMadeAgain();
    blocklisted();
    full();
    silent();
    ToldMessages.of(PAGE, "Answers of Ceph").assertAre(told);
  }

  /** The others of that section need no Ceph: TroubleshootingTest provokes them. */
  @Test
  void poolsAndUsers() throws Exception {
    String none = ToldMessages.thrownBy(() -> open("no-such-pool", configuration()).close());
    assertThat(none).startsWith("rados://no-such-pool: the cluster has no pool 'no-such-pool'");
    String mine = ceph.createPool();
    try (FileSystem fs = open(mine, configuration())) {
      write(fs, "/d/f");
    }
    CephCluster.User reader =
        ceph.createUser("trouble-reader", "mon", "allow r", "osd", "allow r pool=" + mine);
    CephCluster.User team =
        ceph.createUser(
            "trouble-team", "mon", "allow r", "osd", "allow rw pool=" + mine + " namespace=team");
    try (FileSystem fs = open(mine, as(reader))) {
      assertThat(ToldMessages.thrownBy(() -> write(fs, "/d/g")))
          .contains("/d/g: ", "rados://" + mine + ": Ceph user client.trouble-reader (setting")
          .contains("is not allowed to do this in pool '" + mine + "'.");
      assertThat(ToldMessages.thrownBy(() -> open("other@" + mine, as(team)).close()))
          .startsWith("rados://other@" + mine + ": Ceph user client.trouble-team (setting")
          .contains("is not allowed to do this in pool '" + mine + "', namespace 'other'.");
    }
  }

  private void poolMadeAgain() throws Exception {
    String again = ceph.createPool();
    try (FileSystem fs = open(again, configuration())) {
      write(fs, "/d/f");
      ceph.deletePool(again);
      ceph.createPool(again);
      tellOnce(() -> fs.listStatus(new Path("/d")));
      fs.listStatus(new Path("/")); // of the new one
    }
  }

  private void blocklisted() throws Exception {
    Configuration conf =
        with(configuration(), "fs.rados.cluster.factory", WatchedConnections.class.getName());
    try (FileSystem fs = open(pool, conf)) {
      fs.listStatus(new Path("/d"));
      WatchedConnections.blocklist(ceph);
      // The OSDs learn of it a little later.
      tellOnce(() -> fs.listStatus(new Path("/d")));
      fs.listStatus(new Path("/d")); // by a new connection
    }
  }

  private void full() throws Exception {
    String small = ceph.createPool();
    try (FileSystem fs = open(small, configuration())) {
      write(fs, "/f");
      ceph.ceph("osd", "pool", "set-quota", small, "max_objects", "1");
      int[] written = {0};
      tellOnce(() -> write(fs, "/g" + written[0]++));
    }
  }

  private void silent() throws Exception {
    Configuration conf = with(configuration(), Options.OPERATION_TIMEOUT.key(), "4s");
    try (FileSystem fs = open(pool, conf)) {
      String tooMany = Long.toString(ceph.ceph("osd", "ls").lines().count() + 1);
      ceph.ceph("osd", "pool", "set", pool, "size", tooMany);
      ceph.ceph("osd", "pool", "set", pool, "min_size", tooMany);
      tellOnce(() -> fs.listStatus(new Path("/d")));
    }
  }
}
