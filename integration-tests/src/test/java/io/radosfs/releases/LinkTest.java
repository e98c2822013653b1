// SPDX-License-Identifier: Apache-2.0
package io.radosfs.releases;

import static org.assertj.core.api.Assertions.assertThat;

import com.ceph.rados.Rados;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.jna.Native;
import io.radosfs.committer.RadosOutputCommitter;
import io.radosfs.connector.RadosFileSystem;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import picocli.CommandLine;

/**
 * One jar for all releases: every reference of the connector's and the committer's classes is there
 * in the oldest and in the newest Hadoop and Spark that radosfs is tested with. They are compiled
 * with a release in between. The releases are in the folder {@value #FOLDER}, where Maven puts them
 * before the tests.
 */
class LinkTest {

  private static final String FOLDER = "target/releases";

  private static final List<String> JUDGED =
      List.of(
          "io/radosfs/",
          "org/apache/hadoop/",
          "org/apache/spark/",
          "scala/",
          "com/fasterxml/jackson/",
          "org/slf4j/");

  /**
   * What Hadoop 3.3.4 has not, by the class that refers to it. Each is used only by a method that
   * this Hadoop does not call, as it does not know it; ThreadStatistics asks before.
   */
  private static final List<String> NOT_IN_HADOOP_3_3_4 =
      List.of(
          "RadosFileSystem -> org/apache/hadoop/fs/BulkDelete",
          "data/StripedInputStream -> org/apache/hadoop/fs/FileRange",
          "data/VectoredReads -> org/apache/hadoop/fs/FileRange",
          "data/VectoredReads$Pending -> org/apache/hadoop/fs/FileRange",
          "hadoop/PagedBulkDelete -> org/apache/hadoop/fs/BulkDelete",
          "hadoop/PagedBulkDelete -> org/apache/hadoop/fs/BulkDeleteUtils",
          "hadoop/PagedBulkDelete -> org/apache/hadoop/util/functional/Tuples",
          "hadoop/ThreadStatistics -> org/apache/hadoop/fs/statistics/IOStatisticsContext");

  /** The first that has vectored reads, but not all that later ones have for them. */
  private static final List<String> NOT_IN_HADOOP_3_3_6 =
      NOT_IN_HADOOP_3_3_4.stream().filter(what -> what.matches(".*(BulkDelete|Tuples).*")).toList();

  private static final Path CONNECTOR = ClassFiles.home(RadosFileSystem.class);
  private static final Path COMMITTER = ClassFiles.home(RadosOutputCommitter.class);

  /** The connector needs nothing of Spark. */
  @Test
  void theConnectorWithTheOldestHadoopAlone() throws IOException {
    assertLacks("hadoop-3.3.4", NOT_IN_HADOOP_3_3_4);
  }

  @Test
  void theConnectorWithTheFirstHadoopThatReadsRanges() throws IOException {
    assertLacks("hadoop-3.3.6", NOT_IN_HADOOP_3_3_6);
  }

  private static void assertLacks(String hadoop, List<String> missing) throws IOException {
    assertThat(broken(CONNECTOR, released(hadoop)))
        .containsExactlyElementsOf(missing.stream().map("io/radosfs/connector/"::concat).toList());
  }

  @Test
  void theConnectorWithTheNewestHadoopAlone() throws IOException {
    assertThat(broken(CONNECTOR, released("hadoop-3.5.0"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"spark-3.5.8, hadoop-3.3.4", "spark-4.2.0, hadoop-3.5.0"})
  void theCommitter(String spark, String hadoop) throws IOException {
    List<Path> classPath = new ArrayList<>(released(spark));
    classPath.addAll(released(hadoop));
    assertThat(broken(COMMITTER, classPath)).isEmpty();
  }

  /** Otherwise this test would find nothing wrong anywhere. */
  @Test
  void theCommitterWithoutSparkIsBroken() throws IOException {
    assertThat(broken(COMMITTER, released("hadoop-3.5.0")))
        .contains(
            "io/radosfs/committer/spark/RadosCommitProtocol ->"
                + " org/apache/spark/internal/io/FileCommitProtocol");
  }

  /** As PySpark does with each object that a program uses. */
  @ParameterizedTest
  @ValueSource(strings = {"hadoop-3.3.4", "hadoop-3.3.6", "hadoop-3.5.0"})
  void allMethodsOfTheFileSystemCanBeAskedFor(String hadoop) throws Exception {
    List<Path> classPath = new ArrayList<>(ours());
    classPath.addAll(released(hadoop));
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = classPath.get(i).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> types = loader.loadClass("io.radosfs.connector.hadoop.MissingTypes");
      types.getMethod("define").invoke(null);
      Class<?> fileSystem = loader.loadClass(RadosFileSystem.class.getName());
      assertThat(fileSystem.getMethods())
          .anyMatch(method -> method.getName().equals("createBulkDelete"));
    }
  }

  private static TreeSet<String> broken(Path judgedFolder, List<Path> releases) throws IOException {
    List<Path> classPath = new ArrayList<>(ours());
    classPath.addAll(releases);
    TreeSet<String> broken = new TreeSet<>();
    try (ClassFiles classes = ClassFiles.of(classPath)) {
      Links links = new Links(classes, name -> JUDGED.stream().anyMatch(name::startsWith));
      for (String name : ClassFiles.names(judgedFolder)) {
        links.broken(name).forEach(what -> broken.add(name + " -> " + what));
      }
    }
    return broken;
  }

  /** What radosfs brings itself. */
  private static List<Path> ours() {
    return Stream.of(Rados.class, Native.class, CommandLine.class)
        .map(ClassFiles::home)
        .collect(() -> new ArrayList<>(List.of(CONNECTOR, COMMITTER)), List::add, List::addAll);
  }

  /** A release's jars, then those of which it comes with the same as the test. */
  private static List<Path> released(String release) throws IOException {
    Path folder = Path.of(FOLDER, release);
    assertThat(folder).as("made by mvn process-test-resources, in this module").isDirectory();
    try (Stream<Path> jars = Files.list(folder)) {
      List<Path> classPath = new ArrayList<>(jars.sorted().toList());
      Stream.of(ObjectMapper.class, JsonFactory.class, JsonProperty.class, Logger.class)
          .map(ClassFiles::home)
          .forEach(classPath::add);
      return classPath;
    }
  }
}
