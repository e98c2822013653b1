// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Asks the monitors, in JSON ({@code rados_mon_command}), and reads their answers. */
final class MonitorCommands {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LibradosObjectStore store;

  MonitorCommands(LibradosObjectStore store) {
    this.store = store;
  }

  /** A command to add arguments to, such as {@code osd map}. */
  static ObjectNode command(String prefix) {
    return JSON.createObjectNode().put("prefix", prefix).put("format", "json");
  }

  /** Sends the command and waits for its answer. One round trip to a monitor. */
  JsonNode ask(ObjectNode command) throws IOException {
    String prefix = command.path("prefix").asText();
    return JSON.readTree(store.command(command.toString(), prefix));
  }
}
