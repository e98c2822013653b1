// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static io.radosfs.connector.store.librados.MonitorCommands.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link PoolPlacement} by commands of the monitors. */
final class LibradosPlacement implements PoolPlacement {

  private final LibradosObjectStore store;
  private final MonitorCommands monitors;

  LibradosPlacement(LibradosObjectStore store) {
    this.store = store;
    this.monitors = new MonitorCommands(store);
  }

  @Override
  public int placementGroups() throws IOException {
    return number("pg_num");
  }

  @Override
  public Copies copies() throws IOException {
    return new Copies(number("size"), number("min_size"));
  }

  private int number(String option) throws IOException {
    ObjectNode get = command("osd pool get").put("pool", store.pool()).put("var", option);
    int value = monitors.ask(get).path(option).asInt();
    if (value <= 0) {
      throw new IOException("the monitors do not tell the " + option + " of pool " + store.pool());
    }
    return value;
  }

  @Override
  public PlacementGroup of(String object) throws IOException {
    ObjectNode map = command("osd map").put("pool", store.pool()).put("object", object);
    if (!store.namespace().isEmpty()) {
      map.put("nspace", store.namespace());
    }
    JsonNode told = monitors.ask(map);
    String group = told.path("pgid").asText();
    List<Integer> acting = new ArrayList<>();
    int primary = told.path("acting_primary").asInt(-1);
    if (primary >= 0) {
      acting.add(primary);
    }
    for (JsonNode osd : told.path("acting")) {
      // An erasure-coded group may have no OSD for a part; then a very large number stands for it.
      int id = osd.asInt();
      if (id != primary && id >= 0 && id < Integer.MAX_VALUE) {
        acting.add(id);
      }
    }
    try {
      int number = Integer.parseUnsignedInt(group.substring(group.indexOf('.') + 1), 16);
      return new PlacementGroup(number, acting);
    } catch (NumberFormatException e) {
      throw new IOException("the monitors do not tell where '" + object + "' is: " + told, e);
    }
  }

  @Override
  public Optional<Osd> osd(int id) throws IOException {
    JsonNode told;
    try {
      told = monitors.ask(command("osd find").put("id", id));
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
    String host = told.path("host").asText();
    return host.isEmpty() ? Optional.empty() : Optional.of(new Osd(host, address(told)));
  }

  /** The first address that the OSD listens to. */
  private static String address(JsonNode told) {
    String address = told.path("addrs").path("addrvec").path(0).path("addr").asText();
    return address.isEmpty() ? told.path("host").asText() + ":0" : address;
  }
}
