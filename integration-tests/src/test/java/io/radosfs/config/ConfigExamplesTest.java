// SPDX-License-Identifier: Apache-2.0
package io.radosfs.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples in config-examples and README.md name settings and classes that there are. */
class ConfigExamplesTest {

  private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
  private static final Path EXAMPLES = TOP.resolve("config-examples");

  private static final String SPARK_HADOOP = "spark.hadoop.";

  /** Settings that are not ours, and what their values must be subclasses of. */
  private static final Map<String, Class<?>> CLASS_SETTINGS =
      Map.of(
          "spark.plugins",
          SparkPlugin.class,
          SparkSessions.PROTOCOL_SETTING,
          FileCommitProtocol.class,
          "fs.rados.impl",
          FileSystem.class,
          "fs.AbstractFileSystem.rados.impl",
          AbstractFileSystem.class,
          PathOutputCommitterFactory.COMMITTER_FACTORY_SCHEME + ".rados",
          PathOutputCommitterFactory.class);

  private static final Set<String> SPARK_SETTINGS = Set.of("spark.jars");

  @Test
  void sparkDefaults() throws Exception {
    checkSettings(sparkDefaultsSettings(""));
    // What is commented out can be commented in.
    checkSettings(sparkDefaultsSettings("#"));
  }

  @Test
  void coreSite() throws Exception {
    Configuration configuration = new Configuration(false);
    configuration.addResource(EXAMPLES.resolve("core-site.xml").toUri().toURL());
    Map<String, String> settings = new TreeMap<>();
    configuration.forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
    checkSettings(settings);
    assertThat(settings).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spark-submit.sh", "spark-sql.sh"})
  void commandLines(String name) throws Exception {
    Map<String, String> settings =
        find("--conf (\\S+?)=(\\S+)", Files.readString(EXAMPLES.resolve(name), UTF_8));
    checkSettings(settings);
    assertThat(sparkDefaultsSettings("").entrySet())
        .as("the same values as in spark-defaults.conf")
        .containsAll(settings.entrySet());
  }

  @Test
  void pySpark() throws Exception {
    Map<String, String> settings =
        find(
            "\\.config\\(\"(.+?)\", \"(.+?)\"\\)",
            Files.readString(EXAMPLES.resolve("pyspark_example.py"), UTF_8));
    checkSettings(settings);
    assertThat(settings).hasSizeGreaterThanOrEqualTo(3);
    assertThat(sparkDefaultsSettings("").entrySet()).containsAll(settings.entrySet());
  }

  @Test
  void sql() throws Exception {
    String statements = Files.readString(EXAMPLES.resolve("spark-sql.sql"), UTF_8);
    checkSql(statements);
  }

  @Test
  void readme() throws Exception {
    String readme = Files.readString(TOP.resolve("README.md"), UTF_8);
    Map<String, String> settings = find("--conf (\\S+?)=(\\S+)", readme);
    settings.putAll(find("\\.config\\(\"(.+?)\", \"(.+?)\"\\)", readme));
    settings.putAll(find("\\| `(spark\\.[^`=]+)=([^`]+)`", readme));
    settings.remove("spark.jars");
    assertThat(settings).containsOnlyKeys("spark.plugins", "spark.hadoop.fs.rados.ceph.user");
    checkSettings(settings);
    find("\\| `(spark\\.[^`=]+)(`)", readme).keySet().forEach(ConfigExamplesTest::checkKey);
    Matcher sql = Pattern.compile("(?m)^    (CREATE TABLE[^;]*;)").matcher(readme);
    assertThat(sql.find()).isTrue();
    checkSql(sql.group(1));
  }

  /** The settings whose lines begin so. */
  private static Map<String, String> sparkDefaultsSettings(String begin) throws IOException {
    Properties properties = new Properties();
    StringBuilder lines = new StringBuilder();
    try (Stream<String> all = Files.lines(EXAMPLES.resolve("spark-defaults.conf"), UTF_8)) {
      all.filter(line -> line.startsWith(begin + "spark."))
          .forEach(line -> lines.append(line.substring(begin.length())).append('\n'));
    }
    try (Reader reader = new java.io.StringReader(lines.toString())) {
      properties.load(reader);
    }
    assertThat(properties).isNotEmpty();
    Map<String, String> settings = new TreeMap<>();
    properties.forEach((key, value) -> settings.put((String) key, ((String) value).strip()));
    return settings;
  }

  private static Map<String, String> find(String pattern, String text) {
    Map<String, String> found = new TreeMap<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      found.put(matcher.group(1), matcher.group(2));
    }
    return found;
  }

  private static void checkSettings(Map<String, String> settings) {
    settings.forEach(
        (key, value) -> {
          checkKey(key);
          Class<?> superclass = CLASS_SETTINGS.get(withoutSparkHadoop(key));
          if (superclass != null) {
            try {
              assertThat(superclass).as(key).isAssignableFrom(Class.forName(value));
            } catch (ClassNotFoundException e) {
              throw new AssertionError(key + " names no class: " + value, e);
            }
          }
        });
  }

  private static void checkKey(String key) {
    Set<String> known = new HashSet<>(CLASS_SETTINGS.keySet());
    CommitterOptions.ALL.stream().map(Option::key).forEach(known::add);
    known.addAll(SPARK_SETTINGS);
    Options.ALL.stream().map(Option::key).forEach(known::add);
    assertThat(known).contains(withoutSparkHadoop(key));
  }

  private static String withoutSparkHadoop(String key) {
    return key.startsWith(SPARK_HADOOP) ? key.substring(SPARK_HADOOP.length()) : key;
  }

  private static void checkSql(String statements) {
    int count = 0;
    for (String statement : statements.replaceAll("(?m)^--.*$", "").split(";")) {
      if (!statement.isBlank()) {
        assertThat(new SparkSqlParser().parsePlan(statement)).isNotNull();
        count++;
      }
    }
    assertThat(count).isPositive();
  }
}
