// SPDX-License-Identifier: Apache-2.0
package io.radosfs.kubernetes;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of config-examples. */
record Example(Path file) {

  static final List<String> MANIFESTS =
      List.of(
          "rook.yaml",
          "spark.yaml",
          "kubeflow-operator.yaml",
          "apache-operator.yaml",
          "pod-template.yaml");

  private static final Path ALL = Path.of("../../config-examples").toAbsolutePath().normalize();

  private static final ObjectMapper YAML =
      YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  /** A field that a class does not have is an error, which Kubernetes' own classes would keep. */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              })
          .build();

  static Example kubernetes(String name) {
    return new Example(ALL.resolve("kubernetes").resolve(name));
  }

  static Example yarn(String name) {
    return new Example(ALL.resolve("yarn").resolve(name));
  }

  /** Its YAML documents. */
  List<JsonNode> documents() {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return documents.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The document of that kind and, if it is not null, name. */
  <T> T one(String kind, String name, Class<T> type) {
    List<JsonNode> found =
        documents().stream()
            .filter(document -> document.path("kind").asText().equals(kind))
            .filter(document -> name == null || document.at("/metadata/name").asText().equals(name))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of " + kind + " " + name + " in " + file);
    }
    return parse(found.get(0), type);
  }

  static <T> T parse(JsonNode document, Class<T> type) {
    try {
      return STRICT.treeToValue(document, type);
    } catch (IOException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** The settings of its {@code --conf} options. */
  Map<String, String> settings() throws IOException {
    Map<String, String> settings = new TreeMap<>();
    Matcher each =
        Pattern.compile("--conf ([^\\s=]+)=(\\S+)")
            .matcher(java.nio.file.Files.readString(file, java.nio.charset.StandardCharsets.UTF_8));
    while (each.find()) {
      settings.put(each.group(1), each.group(2));
    }
    return settings;
  }
}
