// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The JSON that the committer leaves in {@code _SUCCESS}. */
record DemoSuccess(JsonNode json) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FILES_SHOWN = 4;

  /** The report of the job that wrote a directory; none where the committer leaves an empty one. */
  static Optional<DemoSuccess> of(FileSystem fileSystem, Path directory) throws IOException {
    byte[] content;
    try (InputStream in = fileSystem.open(new Path(directory, "_SUCCESS"))) {
      content = in.readAllBytes();
    }
    return content.length == 0
        ? Optional.empty()
        : Optional.of(new DemoSuccess(JSON.readTree(content)));
  }

  /** The report for people: indented, and of a long list of files the first few. */
  String text() throws IOException {
    JsonNode shown = json.deepCopy();
    if (shown instanceof ObjectNode object && object.get("filenames") instanceof ArrayNode files) {
      int more = files.size() - FILES_SHOWN;
      if (more > 0) {
        while (files.size() > FILES_SHOWN) {
          files.remove(FILES_SHOWN);
        }
        files.add("… and " + more + " more");
      }
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(shown);
  }
}
