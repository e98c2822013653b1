// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.RadosPlugin;
import io.radosfs.connector.docs.PageSection;
import io.radosfs.integration.programs.KilledApp;
import io.radosfs.integration.programs.SubmittedApp;
import io.radosfs.workbench.SparkSessions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The one jar, given to spark-submit as a user would: Spark in a process of its own, with nothing
 * of radosfs on its class path, and in the C locale.
 */
class SparkSubmitIT {

  /** What Spark brings itself is all that may stay on the class path. */
  private static final List<String> OURS =
      List.of("/radosfs-", "/com/ceph/", "/net/java/dev/jna/", "/info/picocli/", "/io/trino/");

  /** Nine of the processor are needed; what hangs does not end at all. */
  private static final long MOST_SECONDS = 180;

  private static SparkOnCeph on;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  /** With {@code --jars}, Hadoop has looked for file systems before Spark adds the jar. */
  @Test
  void theJarIsGivenToSparkSubmit() throws Exception {
    String printed =
        submit(
            sparksClassPath(),
            SubmittedApp.class,
            List.of(
                "--jars",
                oneJar().toString(),
                "--conf",
                "spark.hadoop.fs.rados.impl=io.radosfs.connector.RadosFileSystem"),
            "given");
    assertThat(printed).contains("read back: 2000,999000,3,true");
    assertThat(on.ceph.listObjects(on.pool)).contains("given/größe 日本/p=ü2/");
  }

  /** The README's lines, with this jar and this cluster's user; the app comes after them. */
  @Test
  void theReadmesLine() throws Exception {
    List<String> commands =
        PageSection.of("README.md", "Use it with Spark").commands("spark-submit");
    assertThat(commands).hasSize(1);
    String here =
        commands
            .get(0)
            .replace(" radosfs-spark.jar ", " " + oneJar() + " ")
            .replace("client.spark", on.ceph.admin().entity());
    List<String> words = List.of(here.split(" "));
    assertThat(words).endsWith("app.jar");
    String printed =
        submit(sparksClassPath(), SubmittedApp.class, words.subList(1, words.size() - 1), "readme");
    assertThat(printed).contains("read back: 2000,999000,3,true");
  }

  @Test
  void theJarIsAmongSparksOwn() throws Exception {
    String classPath = sparksClassPath() + File.pathSeparator + oneJar();
    String printed = submit(classPath, SubmittedApp.class, List.of(), "among");
    assertThat(printed).contains("read back: 2000,999000,3,true");
    assertThat(on.ceph.listObjects(on.pool)).contains("among/größe 日本/p=ü2/");
  }

  /**
   * Where the commit protocol is set instead, PySpark hangs: Spark looks for it again and again.
   */
  @Test
  void aWrongPathOfTheJarIsAnErrorAtTheStart() throws Exception {
    String plugin = RadosPlugin.class.getName();
    List<String> options = List.of("--jars", "/no/such.jar", "--conf", "spark.plugins=" + plugin);
    Process process = start(sparksClassPath(), SubmittedApp.class, options, "wrong");
    try {
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      String err = Files.readString(directory.resolve("err"), UTF_8);
      assertThat(ended).as("%s", err).isTrue();
      assertThat(process.exitValue()).as("%s", err).isNotZero();
      assertThat(err).contains("/no/such.jar", "ClassNotFoundException: " + plugin);
    } finally {
      process.destroyForcibly();
    }
  }

  /** I8 and I4: the old data is there, and of the new all can be found by the job's record. */
  @Test
  void aKilledOverwriteLeavesTheOldDataReadable() throws Exception {
    write(100, "killed");
    TreeSet<String> before = on.files("killed");
    String classPath = sparksClassPath() + File.pathSeparator + oneJar();

    assertThat(run(classPath, KilledApp.class, List.of(), "killed")).isEqualTo(KilledApp.STATUS);

    assertThat(on.files("killed")).isEqualTo(before);
    assertThat(on.spark.read().parquet(on.uri("killed")).count()).isEqualTo(100);
    PoolObjects objects = on.objects();
    TreeSet<String> left = objects.firstStripesBelow("killed");
    left.removeAll(before);
    assertThat(left).as("objects of the killed job").hasSizeGreaterThanOrEqualTo(3);
    assertThat(objects.jobs()).hasSize(1);
    String record = on.ceph.rados(on.pool, "listomapkeys", objects.jobs().first());
    String manifests = manifests(objects.jobs().first(), record);
    for (String object : left) {
      String name = object.substring("killed/".length());
      assertThat(record + manifests).as("the job's record").contains(name);
    }

    write(50, "killed");
    assertThat(on.spark.read().parquet(on.uri("killed")).count()).isEqualTo(50);
  }

  private static void write(int rows, String name) {
    on.spark
        .range(0, rows, 1, 2)
        .selectExpr("id", "id % 3 AS p")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("p")
        .parquet(on.uri(name));
  }

  private static String manifests(String job, String keys) {
    return keys.lines()
        .filter(key -> key.startsWith("m/"))
        .map(key -> omapValue(job, key))
        .collect(Collectors.joining());
  }

  /** As text; the command shows values as a dump of their bytes, sixteen in a line. */
  private static String omapValue(String object, String key) {
    return on.ceph
        .rados(on.pool, "getomapval", object, key)
        .lines()
        .filter(line -> line.indexOf('|') > 0)
        .map(line -> line.substring(line.indexOf('|') + 1, line.lastIndexOf('|')))
        .collect(Collectors.joining());
  }

  /** Runs the application and returns what it printed. */
  private String submit(String classPath, Class<?> app, List<String> options, String name)
      throws Exception {
    int status = run(classPath, app, options, name);
    assertThat(status).as("%s", Files.readString(directory.resolve("err"), UTF_8)).isZero();
    return Files.readString(directory.resolve("out"), UTF_8);
  }

  private int run(String classPath, Class<?> app, List<String> options, String name)
      throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--conf", SparkSessions.PROTOCOL_SETTING + "=" + SparkSessions.PROTOCOL));
    return start(classPath, app, all, name).waitFor();
  }

  private Process start(String classPath, Class<?> app, List<String> options, String name)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@target/launch.args");
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dlog4j2.configurationFile=target/classes/io/radosfs/workbench/log4j2.properties");
    command.addAll(List.of("-cp", classPath, "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--master", "local[2]"));
    command.addAll(options);
    command.addAll(List.of("--conf", "spark.hadoop.fs.rados.ceph.conf=" + on.ceph.conf()));
    command.addAll(List.of("--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--class", app.getName(), appJar().toString()));
    command.add(on.uri(name));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    File out = directory.resolve("out").toFile();
    File err = directory.resolve("err").toFile();
    return builder.redirectOutput(out).redirectError(err).start();
  }

  private static String sparksClassPath() throws IOException {
    String all = Files.readString(Path.of("target", "launch.classpath"), UTF_8).strip();
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> OURS.stream().noneMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The one built here, or {@code -Dradosfs.jar=PATH}, such as one built for another Spark. */
  private static Path oneJar() throws IOException {
    String given = System.getProperty("radosfs.jar");
    if (given != null) {
      return Path.of(given).toRealPath();
    }
    try (Stream<Path> built = Files.list(Path.of("..", "committer", "target"))) {
      return built
          .filter(path -> path.getFileName().toString().matches("radosfs-spark-.*\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("not built: mvn package makes it"))
          .toRealPath();
    }
  }

  private Path appJar() throws IOException {
    Path jar = directory.resolve("app.jar");
    String folder = SubmittedApp.class.getPackageName().replace('.', '/');
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> classes = Files.list(Path.of("target", "test-classes", folder))) {
      for (Path file : classes.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("(SubmittedApp|KilledApp|Rows)(\\$.*)?\\.class")) {
          out.putNextEntry(new JarEntry(folder + "/" + name));
          Files.copy(file, out);
        }
      }
    }
    return jar;
  }
}
