// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import io.radosfs.RadosPlugin;

/** Dependencies point one way: shells, stages, what is stored, the connector. */
@AnalyzeClasses(
    packages = "io.radosfs",
    importOptions = {DoNotIncludeTests.class, CommitterArchitectureTest.OfTheCommitter.class})
class CommitterArchitectureTest {

  private static final String PLUGIN = "io.radosfs";
  private static final String ROOT = "io.radosfs.committer";

  /** The connector has a test of its own. */
  static final class OfTheCommitter implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/io/radosfs/connector/");
    }
  }

  /** The plugin's class, which users name, is outside of the committer's packages. */
  @ArchTest
  static void thePluginIsLookedAt(JavaClasses classes) {
    assertThat(classes.contain(RadosPlugin.class)).isTrue();
  }

  @ArchTest
  static final ArchRule layers =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("plugin")
          .definedBy(PLUGIN)
          .layer("spark")
          .definedBy(ROOT + ".spark..")
          .layer("hadoop")
          .definedBy(ROOT)
          .layer("stages")
          .definedBy(ROOT + ".stages..")
          .layer("manifest")
          .definedBy(ROOT + ".manifest..")
          .whereLayer("plugin")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("spark")
          .mayOnlyBeAccessedByLayers("plugin")
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
          .resideOutsideOfPackages(PLUGIN, ROOT + ".spark..")
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
