package io.radosfs.integration.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.workbench.SparkSessions;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            List.of(
                "--jars",
                oneJar().toString(),
                "--conf",
                "spark.hadoop.fs.rados.impl=io.radosfs.connector.RadosFileSystem"),
            "given");
    assertThat(printed).contains("read back: 2000,999000,3,true");
    assertThat(on.ceph.listObjects(on.pool)).contains("given/größe 日本/p=ü2/");
  }

  @Test
  void theJarIsAmongSparksOwn() throws Exception {
    String classPath = sparksClassPath() + File.pathSeparator + oneJar();
    String printed = submit(classPath, List.of(), "among");
    assertThat(printed).contains("read back: 2000,999000,3,true");
    assertThat(on.ceph.listObjects(on.pool)).contains("among/größe 日本/p=ü2/");
  }

  /** Runs the application and returns what it printed. */
  private String submit(String classPath, List<String> options, String name) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@target/launch.args");
    command.add("-Dlog4j2.configurationFile=target/classes/io/radosfs/workbench/log4j2.properties");
    command.addAll(List.of("-cp", classPath, "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--master", "local[2]"));
    command.addAll(options);
    String protocol = SparkSessions.PROTOCOL_SETTING + "=" + SparkSessions.PROTOCOL;
    command.addAll(List.of("--conf", protocol));
    command.addAll(List.of("--conf", "spark.hadoop.fs.rados.ceph.conf=" + on.ceph.conf()));
    command.addAll(List.of("--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--class", SubmittedApp.class.getName(), appJar().toString()));
    command.add(on.uri(name));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    File out = directory.resolve("out").toFile();
    File err = directory.resolve("err").toFile();
    Process process = builder.redirectOutput(out).redirectError(err).start();
    int status = process.waitFor();
    assertThat(status).as("%s", Files.readString(err.toPath(), UTF_8)).isZero();
    return Files.readString(out.toPath(), UTF_8);
  }

  private static String sparksClassPath() throws IOException {
    String all = Files.readString(Path.of("target", "launch.classpath"), UTF_8).strip();
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> OURS.stream().noneMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path oneJar() throws IOException {
    try (Stream<Path> built = Files.list(Path.of("..", "committer", "target"))) {
      return built
          .filter(path -> path.getFileName().toString().matches("radosfs-spark-.*\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("not built: mvn package makes it"))
          .toRealPath();
    }
  }

  private Path appJar() throws IOException {
    String name = SubmittedApp.class.getName().replace('.', '/') + ".class";
    Path jar = directory.resolve("app.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = SubmittedApp.class.getClassLoader().getResourceAsStream(name)) {
      out.putNextEntry(new JarEntry(name));
      in.transferTo(out);
    }
    return jar;
  }
}
