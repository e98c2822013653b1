// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Settings as {@code config-examples} gives them to users: what is tested is what they copy. */
final class ExampleSettings {

  private static final Path EXAMPLES = Path.of("..", "config-examples");

  private ExampleSettings() {}

  /** For Delta and Iceberg, with that pool in place of the example's. */
  static Map<String, String> tableFormats(String pool) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(EXAMPLES.resolve("table-formats.conf"), UTF_8)) {
      properties.load(reader);
    }
    Map<String, String> settings = new TreeMap<>();
    properties.forEach(
        (key, value) ->
            settings.put(
                (String) key, ((String) value).strip().replace("://radosfs/", "://" + pool + "/")));
    return settings;
  }
}
