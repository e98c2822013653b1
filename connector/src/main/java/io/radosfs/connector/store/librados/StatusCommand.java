// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.store.ClusterStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The monitors' {@code status}. */
final class StatusCommand {

  static final String COMMAND = "{\"prefix\": \"status\", \"format\": \"json\"}";

  private StatusCommand() {}

  static ClusterStatus parse(byte[] answer) throws IOException {
    JsonNode status = new ObjectMapper().readTree(answer);
    Map<String, String> checks = new HashMap<>();
    status
        .path("health")
        .path("checks")
        .fields()
        .forEachRemaining(
            check ->
                checks.put(
                    check.getKey(), check.getValue().path("summary").path("message").asText()));
    List<String> quorum = new ArrayList<>();
    status.path("quorum_names").forEach(name -> quorum.add(name.asText()));
    return new ClusterStatus(
        status.path("health").path("status").asText(),
        checks,
        status.path("monmap").path("num_mons").asInt(),
        quorum);
  }
}
