// SPDX-License-Identifier: Apache-2.0
package io.radosfs.releases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/**
 * What the one jar of the build brings onto Spark's class path: nothing that Spark's users may have
 * in another version, but JNA. Runs after the jar is made, and needs no Ceph.
 */
class SparkJarIT {

  @Test
  void bringsItsOwnPackagesAndJna() throws IOException {
    try (JarFile jar = jar()) {
      List<String> names =
          jar.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).toList();
      assertThat(names)
          .hasSizeGreaterThan(500)
          .allMatch(name -> name.matches("(io/radosfs|com/sun/jna|META-INF)/.*"))
          .noneMatch(name -> name.startsWith("io/radosfs/connector/cli/"));
      assertThat(names)
          .contains(
              "io/radosfs/RadosPlugin.class",
              "io/radosfs/connector/RadosFileSystem.class",
              "io/radosfs/committer/spark/RadosCommitProtocol.class",
              "io/radosfs/shaded/com/ceph/rados/Rados.class",
              "com/sun/jna/linux-x86-64/libjnidispatch.so");
    }
  }

  @Test
  void hasTheLicencesOfWhatIsInIt() throws IOException {
    try (JarFile jar = jar()) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(text(jar, "META-INF/NOTICE"))
          .contains("rados-java", "JNA", "META-INF/AL2.0", "META-INF/LGPL2.1")
          .contains("libffi", "META-INF/LICENSE-libffi");
      assertThat(text(jar, "META-INF/AL2.0")).contains("Apache License");
      assertThat(text(jar, "META-INF/LGPL2.1")).contains("GNU LESSER GENERAL PUBLIC LICENSE");
      assertThat(text(jar, "META-INF/LICENSE-libffi"))
          .contains("libffi - Copyright (c) ", "Permission is hereby granted, free of charge");
    }
  }

  /** Of a service that the jar names, each class is there, by the name that it has there. */
  @Test
  void servicesAreThere() throws IOException {
    try (JarFile jar = jar()) {
      List<String> services =
          jar.stream()
              .map(ZipEntry::getName)
              .filter(n -> n.matches("META-INF/services/.+"))
              .toList();
      assertThat(services).contains("META-INF/services/org.apache.hadoop.fs.FileSystem");
      for (String service : services) {
        for (String name : text(jar, service).lines().toList()) {
          assertThat(jar.getEntry(name.replace('.', '/') + ".class")).as(name).isNotNull();
        }
      }
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertThat(entry).as(name).isNotNull();
    return new String(jar.getInputStream(entry).readAllBytes(), UTF_8);
  }

  private static JarFile jar() throws IOException {
    try (Stream<Path> built = Files.list(Path.of("..", "committer", "target"))) {
      return new JarFile(
          built
              .filter(path -> path.getFileName().toString().matches("radosfs-spark-.*\\.jar"))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("not built: mvn package makes it"))
              .toFile());
    }
  }
}
