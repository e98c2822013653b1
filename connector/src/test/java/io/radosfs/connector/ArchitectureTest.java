// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Dependencies point one way. */
@AnalyzeClasses(packages = "io.radosfs.connector", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "io.radosfs.connector";

  @ArchTest
  static final ArchRule layers =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("cli")
          .definedBy(ROOT + ".cli..")
          .layer("facade")
          .definedBy(ROOT, ROOT + ".hadoop..")
          .layer("access")
          .definedBy(ROOT + ".access..")
          .layer("mount")
          .definedBy(ROOT + ".mount..")
          .layer("metrics")
          .definedBy(ROOT + ".metrics..")
          .layer("upkeep")
          .definedBy(ROOT + ".upkeep..")
          .layer("job")
          .definedBy(ROOT + ".job..")
          .layer("operations")
          .definedBy(ROOT + ".operations..")
          .layer("parts")
          .definedBy(
              ROOT + ".transaction..",
              ROOT + ".index..",
              ROOT + ".ledger..",
              ROOT + ".placement..",
              ROOT + ".superblock..",
              ROOT + ".data..")
          .layer("layout")
          .definedBy(ROOT + ".layout..")
          .layer("store")
          .definedBy(ROOT + ".store")
          .layer("retry")
          .definedBy(ROOT + ".retry..")
          .layer("librados")
          .definedBy(ROOT + ".store.librados..")
          .layer("settings")
          .definedBy(ROOT + ".config..", ROOT + ".uri..")
          .layer("release")
          .definedBy(ROOT + ".release..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("facade")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("access")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("mount")
          .mayOnlyBeAccessedByLayers("access", "facade", "cli")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers("mount", "facade", "cli")
          .whereLayer("upkeep")
          .mayOnlyBeAccessedByLayers("mount", "facade", "cli")
          .whereLayer("job")
          .mayOnlyBeAccessedByLayers("upkeep", "mount", "facade", "cli")
          .whereLayer("operations")
          .mayOnlyBeAccessedByLayers("job", "upkeep", "mount", "facade", "cli")
          .whereLayer("parts")
          .mayOnlyBeAccessedByLayers(
              "operations", "job", "upkeep", "metrics", "mount", "facade", "cli")
          .whereLayer("layout")
          .mayNotAccessAnyLayer()
          .whereLayer("store")
          .mayNotAccessAnyLayer()
          .whereLayer("retry")
          .mayNotAccessAnyLayer()
          .whereLayer("settings")
          .mayNotAccessAnyLayer()
          .whereLayer("settings")
          .mayOnlyBeAccessedByLayers("mount", "access", "facade", "cli")
          .whereLayer("release")
          .mayNotAccessAnyLayer()
          .whereLayer("release")
          .mayOnlyBeAccessedByLayers("facade")
          .whereLayer("librados")
          .mayOnlyBeAccessedByLayers("mount");

  /** A new package gets a place among the layers. */
  @ArchTest
  static final ArchRule allAreInALayer =
      classes()
          .should()
          .resideInAnyPackage(
              Stream.concat(
                      Stream.of(ROOT, ROOT + ".store", ROOT + ".store.librados.."),
                      Stream.of(
                              "access",
                              "cli",
                              "config",
                              "data",
                              "hadoop",
                              "index",
                              "job",
                              "layout",
                              "ledger",
                              "metrics",
                              "mount",
                              "operations",
                              "placement",
                              "release",
                              "retry",
                              "superblock",
                              "transaction",
                              "upkeep",
                              "uri")
                          .map(name -> ROOT + "." + name + ".."))
                  .toArray(String[]::new));

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

  /** The rooms of {@code transaction}, from the top down. */
  private static final List<String> ROOMS =
      List.of(
          "rename", "removal", "commit", "directory", "deletion", "resolve", "shard", "read", "");

  /** None uses one above it, and what others see of transactions uses none. */
  @ArchTest
  static void roomsOfTransactionUseThoseBelow(JavaClasses classes) {
    String[] rooms =
        ROOMS.stream()
            .map(room -> ROOT + ".transaction" + (room.isEmpty() ? "" : "." + room))
            .toArray(String[]::new);
    for (int i = 1; i < rooms.length; i++) {
      noClasses()
          .that()
          .resideInAPackage(rooms[i])
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(Arrays.copyOf(rooms, i))
          .check(classes);
    }
    classes()
        .that()
        .resideInAPackage(ROOT + ".transaction..")
        .should()
        .resideInAnyPackage(rooms)
        .check(classes);
  }

  /** Its exceptions, statistics and marker interfaces of streams are used everywhere. */
  @ArchTest
  static final ArchRule hadoopFileSystemInTheFacade =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT, ROOT + ".hadoop..", ROOT + ".cli..")
          // Hadoop's constructor of a data stream has a FileSystem.Statistics among its parameters.
          .and()
          .haveSimpleNameNotEndingWith("DataOutputStream")
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.belongToAnyOf(
                  org.apache.hadoop.fs.FileSystem.class,
                  org.apache.hadoop.fs.AbstractFileSystem.class,
                  org.apache.hadoop.fs.FileContext.class,
                  org.apache.hadoop.fs.Path.class,
                  org.apache.hadoop.fs.FileStatus.class));

  @ArchTest
  static final ArchRule hadoopStreamsInTheFacadeAndData =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT, ROOT + ".hadoop..", ROOT + ".data..")
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.belongToAnyOf(
                  org.apache.hadoop.fs.FSDataInputStream.class,
                  org.apache.hadoop.fs.FSDataOutputStream.class));

  @ArchTest
  static final ArchRule librados =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".store.librados..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.ceph..", "com.sun.jna..");
}
