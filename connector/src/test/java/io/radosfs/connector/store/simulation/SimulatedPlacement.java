// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.placement.ObjectHash;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Every pool has 8 placement groups; group n is on the hosts n and n + 1, counted round. */
final class SimulatedPlacement implements PoolPlacement {

  static final int GROUPS = 8;

  private final SimulatedCluster cluster;
  private final String namespace;

  SimulatedPlacement(SimulatedCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  @Override
  public int placementGroups() throws IOException {
    List<String> unused = ask();
    return GROUPS;
  }

  @Override
  public Copies copies() throws IOException {
    List<String> unused = ask();
    return new Copies(3, 2);
  }

  @Override
  public PlacementGroup of(String object) throws IOException {
    int hosts = ask().size();
    int number = ObjectHash.placementGroup(namespace, object, GROUPS);
    return new PlacementGroup(
        number, hosts == 1 ? List.of(0) : List.of(number % hosts, (number + 1) % hosts));
  }

  @Override
  public Optional<Osd> osd(int id) throws IOException {
    String host = ask().get(id);
    return Optional.of(new Osd(host, host + ":6800"));
  }

  private List<String> ask() throws IOException {
    List<String> hosts = cluster.askMonitors();
    if (hosts.isEmpty()) {
      throw new StoreException(StoreException.Kind.PERMISSION_DENIED, "", "no monitor answers");
    }
    return hosts;
  }
}
