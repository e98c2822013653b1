// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;

/** Dependencies point one way: shells, stages, what is stored, the connector. */
@AnalyzeClasses(packages = "io.radosfs.committer", importOptions = DoNotIncludeTests.class)
class CommitterArchitectureTest {

  private static final String ROOT = "io.radosfs.committer";

  @ArchTest
  static final ArchRule layers =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("spark")
          .definedBy(ROOT + ".spark..")
          .layer("hadoop")
          .definedBy(ROOT)
          .layer("stages")
          .definedBy(ROOT + ".stages..")
          .layer("manifest")
          .definedBy(ROOT + ".manifest..")
          .whereLayer("spark")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("hadoop")
          .mayOnlyBeAccessedByLayers("spark")
          .whereLayer("stages")
          .mayOnlyBeAccessedByLayers("spark", "hadoop")
          .whereLayer("manifest")
          .mayOnlyBeAccessedByLayers("spark", "hadoop", "stages");

  @ArchTest
  static final ArchRule sparkIsInItsShellAlone =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".spark..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "scala..");

  @ArchTest
  static final ArchRule theConnectorIsUsedThroughItsJobs =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.radosfs.connector",
              "io.radosfs.connector.hadoop..",
              "io.radosfs.connector.mount..",
              "io.radosfs.connector.index..",
              "io.radosfs.connector.data..",
              "io.radosfs.connector.ledger..",
              "io.radosfs.connector.store.librados..");
}
