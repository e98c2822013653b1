// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.docs.PageSection;
import io.radosfs.connector.store.StoreException;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.ceph.OwnCephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The commands of connector/docs/operations.md, on a cluster of its own: they make pools of the
 * page's names, and change what OSDs warn about. Those that make data pools, too.
 */
class OperationsIT {

  private static final String PAGE = "connector/docs/operations.md";
  private static final long BOUND_SECONDS = 120;

  private static OwnCephCluster own;
  private static CephCluster ceph;
  private static PageCommands page;

  @BeforeAll
  static void start() {
    own = OwnCephCluster.start(3);
    ceph = own.ceph();
    page = PageCommands.asAdmin(ceph);
  }

  @AfterAll
  static void stop() {
    if (own != null) {
      own.close();
    }
  }

  @AfterEach
  void removePools() {
    ceph.ceph("osd", "pool", "ls")
        .lines()
        .filter(pool -> pool.startsWith("lake"))
        .forEach(ceph::deletePool);
  }

  private static FileSystem open(String uri) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    return FileSystem.newInstance(URI.create(uri), conf);
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(path.getBytes(UTF_8));
    }
  }

  private static void assertHolds(FileSystem fs, String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(path);
    }
  }

  private static void await(String what, BooleanSupplier reached) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(until);
      Thread.sleep(200);
    }
  }

  private static List<String> commands(String section, int count) {
    List<String> commands = PageCommands.of(PAGE, section);
    assertThat(commands).as(section).hasSize(count);
    return commands;
  }

  @Test
  void pools() throws Exception {
    List<String> commands = commands("Pools", 4);
    commands.subList(0, 3).forEach(page::run);
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/d/before");
      page.run(commands.get(3));
      List<String> written = new ArrayList<>(List.of("/d/before"));
      await(
          "64 placement groups",
          () -> {
            String path = "/d/" + written.size();
            try {
              write(fs, path + ".new");
              assertThat(fs.rename(new Path(path + ".new"), new Path("/d2" + path))).isFalse();
              write(fs, path);
              assertHolds(fs, path);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            written.add(path);
            return hasPlacementGroups("lake", 64);
          });
      for (String path : written) {
        assertHolds(fs, path);
      }
    }
    page.run("radosfs fsck --data rados://lake/");
  }

  private static boolean hasPlacementGroups(String pool, int count) {
    return placements(pool).size() == count
        && ceph.ceph("osd", "pool", "get", pool, "pg_num").strip().equals("pg_num: " + count);
  }

  /** The OSDs of each placement group of a pool. */
  private static List<String> placements(String pool) {
    Matcher acting =
        Pattern.compile("\"acting\":\\[([0-9,]*)]")
            .matcher(ceph.ceph("pg", "ls-by-pool", pool, "--format", "json").replace(" ", ""));
    return acting.results().map(each -> each.group(1)).toList();
  }

  private static Set<String> osds(String pool) {
    Set<String> osds = new TreeSet<>();
    placements(pool).forEach(acting -> osds.addAll(List.of(acting.split(","))));
    return osds;
  }

  private static void setCopies(String pool, int copies) {
    String size = Integer.toString(copies);
    ceph.ceph("osd", "pool", "set", pool, "size", size, "--yes-i-really-mean-it");
    ceph.ceph("osd", "pool", "set", pool, "min_size", "1");
  }

  private static void setClass(int osd, String deviceClass) {
    ceph.ceph("osd", "crush", "rm-device-class", "osd." + osd);
    ceph.ceph("osd", "crush", "set-device-class", deviceClass, "osd." + osd);
  }

  /** Those of the page on data pools, with a profile for the OSDs of this one host. */
  @Test
  void dataPools() throws Exception {
    List<String> commands = PageCommands.of("connector/docs/data-pools.md", "Making them");
    assertThat(commands).hasSize(7);
    ceph.createPool("lake");
    try (FileSystem fs = open("rados://lake/")) {
      commands.forEach(
          command -> page.run(command.replace("k=4 m=2", "k=2 m=1 crush-failure-domain=osd")));
      assertThat(ceph.ceph("osd", "pool", "get", "scratch", "size").strip()).isEqualTo("size: 1");
      for (String pool : List.of("lake-ec", "scratch")) {
        page.run("radosfs mkdir rados://lake/" + pool);
        page.run("radosfs layout set --data-pool " + pool + " rados://lake/" + pool);
        write(fs, "/" + pool + "/f");
        assertHolds(fs, "/" + pool + "/f");
        assertThat(ceph.listObjects(pool)).contains(pool + "/f");
      }
      page.run("radosfs fsck --data rados://lake/");
    } finally {
      ceph.deletePool("scratch");
    }
  }

  /** Two of the three OSDs of this one host count as flash. */
  @Test
  void indexOnFlash() throws Exception {
    setClass(0, "ssd");
    setClass(1, "ssd");
    setClass(2, "hdd");
    Set<String> flash = Set.of("0", "1");
    Set<String> disk = Set.of("2");
    List<String> commands = commands("Index on flash", 9);
    for (String command : commands.subList(0, 6)) {
      page.run(command.replace(" host ", " osd "));
    }
    setCopies("lake-index", 2);
    setCopies("lake-data", 1);
    page.run(commands.get(6));
    try (FileSystem fs = open("rados://lake-index/")) {
      write(fs, "/d/f");
      assertHolds(fs, "/d/f");
    }
    assertThat(ceph.listObjects("lake-index")).contains("d/").doesNotContain("d/f");
    assertThat(ceph.listObjects("lake-data")).contains("d/f");
    await("the index on flash", () -> osds("lake-index").equals(flash));
    await("the data elsewhere", () -> osds("lake-data").equals(disk));

    removePools();
    commands.subList(4, 6).forEach(page::run);
    setCopies("lake-data", 1);
    ceph.createPool("lake");
    setCopies("lake", 2); // one copy would be out of reach while it moves
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/before");
      page.run(commands.get(7));
      page.run(commands.get(8));
      write(fs, "/new/f");
      await("the old pool on flash", () -> osds("lake").equals(flash));
      assertHolds(fs, "/before");
      assertHolds(fs, "/new/f");
    }
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/new/later");
    }
    assertThat(ceph.listObjects("lake")).contains("before", "new/").doesNotContain("new/later");
    assertThat(ceph.listObjects("lake-data")).contains("new/later");
    page.run("radosfs fsck --data rados://lake/");
  }

  /** The warning's own defaults are looked at, and lowered. */
  @Test
  void omapWarnings() throws Exception {
    String threshold = "osd_deep_scrub_large_omap_object_key_threshold";
    assertThat(ceph.ceph("config", "help", threshold)).contains("Default: 200000");
    assertThat(ceph.ceph("config", "help", "osd_deep_scrub_large_omap_object_value_sum_threshold"))
        .contains("Default: 1073741824");
    List<String> commands = commands("Omap warnings", 5);
    // One placement group: a scrub of each takes a while to begin.
    ceph.ceph("osd", "pool", "create", "lake", "1", "1", "replicated", "--autoscale-mode", "off");
    ceph.ceph("config", "set", "osd", threshold, "100");
    try (FileSystem fs = open("rados://lake/")) {
      for (int i = 0; i < 150; i++) {
        write(fs, "/d/" + i);
      }
      page.run(commands.get(4));
      await("a warning", () -> page.run(commands.get(0)).contains("LARGE_OMAP_OBJECTS"));
      assertThat(page.run(commands.get(0))).contains("1 large objects found in pool 'lake'");
      // The OSD's line comes to the monitors by another way than the warning.
      await("its line", () -> page.run(commands.get(1)).contains("Large omap object found"));
      assertThat(page.run(commands.get(1))).contains(":::d%2f:head").contains("Key count: 15");
      page.run(commands.get(2));
      assertThat(shards()).as("by the default threshold").isEmpty();
      page.run(commands.get(3).replace("=32768", "=100"));
      assertThat(shards()).hasSize(64);
      page.run(commands.get(4));
      await("no warning", () -> !page.run(commands.get(0)).contains("LARGE_OMAP_OBJECTS"));
      assertThat(fs.listStatus(new Path("/d"))).hasSize(150);
    } finally {
      ceph.ceph("config", "rm", "osd", threshold);
    }
    page.run("radosfs fsck rados://lake/");
  }

  private static List<String> shards() {
    return ceph.listObjects("lake").stream().filter(name -> name.startsWith("d//shard/")).toList();
  }

  @Test
  void quotas() throws Exception {
    List<String> commands = commands("Quotas and full pools", 3);
    ceph.createPool("lake");
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/d/f");
      write(fs, "/d/f");
      page.run(commands.get(0));
      assertThat(page.run(commands.get(1))).contains("1.0 TiB");
      assertThat(page.run("radosfs df --json rados://lake/"))
          .contains("\"quotaBytes\":1099511627776")
          .contains("\"bytesAvailable\":");
      ceph.ceph("osd", "pool", "set-quota", "lake", "max_bytes", "1");
      int[] written = {0};
      await(
          "EDQUOT",
          () -> catchThrowable(() -> write(fs, "/d/" + written[0]++)) instanceof StoreException);
      assertThat(page.run(commands.get(2))).contains("1 removed");
      assertThat(fs.delete(new Path("/d"), true)).isTrue();
    }
  }

  /** The monitors' df leaves out a pool, and its quota too, until the manager has told of it. */
  @Test
  void theQuotaOfAPoolWithoutNumbers() {
    own.suspendManager();
    try {
      ceph.createPool("lake");
      page.run("radosfs format rados://lake/");
      ceph.ceph("osd", "pool", "set-quota", "lake", "max_bytes", "4096");
      ceph.ceph("osd", "pool", "set-quota", "lake", "max_objects", "7");
      assertThat(page.run("radosfs df rados://lake/"))
          .containsPattern("lake +index +0 B +0 +4.0 KiB +0% +4.0 KiB, 7 objects");
    } finally {
      own.resumeManager();
    }
  }

  @Test
  void backups() throws Exception {
    List<String> commands = commands("Backups", 5);
    ceph.createPool("lake");
    try (FileSystem fs = open("rados://lake/")) {
      for (String path : List.of("/a", "/d/f", "/d/e/g")) {
        write(fs, path);
      }
      assertThat(fs.rename(new Path("/d"), new Path("/moved"))).isTrue();
    }
    // On this machine or in a container, whose folders are not this machine's; nothing is left in
    // the sources.
    java.nio.file.Path dump = java.nio.file.Path.of("/tmp", "lake-" + UUID.randomUUID() + ".dump");
    try {
      commands.forEach(command -> page.run(command.replace("lake.dump", dump.toString())));
    } finally {
      Files.deleteIfExists(dump);
    }
    try (FileSystem copy = open("rados://lake-copy/")) {
      assertHolds(copy, "/a");
      assertThat(copy.listStatus(new Path("/moved"))).hasSize(2);
      write(copy, "/moved/more");
    }
    page.run("radosfs fsck --data rados://lake-copy/");
  }

  /** The lines of a crontab, by the user that they name. */
  @Test
  void cronJobs() throws Exception {
    ceph.createPool("lake");
    List<String> words = PageCommands.words(commands("Cron jobs", 1).get(0));
    assertThat(words).startsWith("ceph", "auth", "get-or-create", "client.keeper").hasSize(10);
    CephCluster.User keeper = ceph.createUser("keeper", words.subList(4, 8).toArray(String[]::new));
    PageCommands asKeeper =
        new PageCommands(
            ceph,
            List.of(
                "-Dfs.rados.ceph.conf=" + ceph.conf(),
                "-Dfs.rados.ceph.keyring=" + keeper.keyring()));
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/d/f");
    }
    List<String> lines =
        PageSection.of(PAGE, "Cron jobs")
            .text()
            .lines()
            .filter(line -> line.matches("    \\d+ \\d+ \\* \\* [*0-7] radosfs .*"))
            .map(line -> line.replaceFirst("^ +(\\S+ ){5}", ""))
            .toList();
    assertThat(lines).hasSize(2).allMatch(line -> line.contains(keeper.entity()));
    lines.forEach(asKeeper::run);
    asKeeper.run("radosfs jobs recover rados://lake/ -Dfs.rados.ceph.user=" + keeper.entity());
  }

  @Test
  void monitoring() throws Exception {
    ceph.createPool("lake");
    try (FileSystem fs = open("rados://lake/")) {
      write(fs, "/d/f");
    }
    Matcher command =
        Pattern.compile("`((?:ceph|radosfs) [^`]*)`")
            .matcher(PageSection.of(PAGE, "Monitoring").text());
    List<String> commands = command.results().map(each -> each.group(1)).toList();
    assertThat(commands).hasSize(4);
    for (String each : commands) {
      assertThat(page.run(each.replace("top ", "top --count 1 "))).isNotBlank();
    }
    assertThat(page.run("radosfs info rados://lake/")).contains("layout version");
  }
}
