// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The examples by the CustomResourceDefinitions of the operators and of Rook, which no repository
 * of packages has: {@code -Dkubernetes.crds} names a folder with them, which nightly.yml fills. A
 * field that a schema does not have is an error, where Kubernetes would drop it.
 */
@EnabledIfSystemProperty(
    named = "kubernetes.crds",
    matches = ".+",
    disabledReason = "no folder of CustomResourceDefinitions is given")
class PublishedSchemasTest {

  private static final Set<String> CUSTOM =
      Set.of("ceph.rook.io/v1", "sparkoperator.k8s.io/v1beta2", "spark.apache.org/v1");

  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

  @Test
  void examplesAreValid() throws IOException {
    Map<String, JsonSchema> schemas = schemas();
    int checked = 0;
    for (String name : Example.MANIFESTS) {
      for (JsonNode document : Example.kubernetes(name).documents()) {
        String apiVersion = document.path("apiVersion").asText();
        if (CUSTOM.contains(apiVersion)) {
          JsonSchema schema = schemas.get(apiVersion + " " + document.path("kind").asText());
          assertThat(schema).as("schema of %s in %s", apiVersion, name).isNotNull();
          assertThat(schema.validate(document)).as(name).isEmpty();
          ((ObjectNode) document.get("spec")).put("notThere", 1);
          assertThat(schema.validate(document)).as(name).hasSize(1);
          checked++;
        }
      }
    }
    assertThat(checked).isEqualTo(5);
  }

  private static Map<String, JsonSchema> schemas() throws IOException {
    Map<String, JsonSchema> schemas = new HashMap<>();
    JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4);
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("kubernetes.crds")))) {
      files = all.filter(file -> file.toString().matches(".*\\.ya?ml")).toList();
    }
    for (Path file : files) {
      for (JsonNode crd : new Example(file).documents()) {
        for (JsonNode version : crd.at("/spec/versions")) {
          JsonNode schema = version.at("/schema/openAPIV3Schema");
          // Of an object as a whole, a schema need not name what all objects have.
          schema.path("properties").forEach(PublishedSchemasTest::refuseUnknown);
          schemas.put(
              "%s/%s %s"
                  .formatted(
                      crd.at("/spec/group").asText(),
                      version.path("name").asText(),
                      crd.at("/spec/names/kind").asText()),
              factory.getSchema(schema));
        }
      }
    }
    return schemas;
  }

  private static void refuseUnknown(JsonNode schema) {
    if (schema.path("properties").isObject() && !schema.path(PRESERVE).asBoolean()) {
      ((ObjectNode) schema).put("additionalProperties", false);
    }
    schema.forEach(PublishedSchemasTest::refuseUnknown);
  }
}
