// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where the objects of a pool are, as the monitors tell it. No message to an OSD; each method is
 * one command to a monitor and its answer ({@code rados_mon_command}), for which {@code mon 'allow
 * r'} suffices. To be used as long as the store is open. Thread-safe.
 */
public interface PoolPlacement {

  /** How many placement groups the pool has ({@code osd pool get <pool> pg_num}). */
  int placementGroups() throws IOException;

  /**
   * The placement group of an object of the store's namespace, whether it exists or not ({@code osd
   * map <pool> <object> <namespace>}).
   */
  PlacementGroup of(String object) throws IOException;

  /**
   * Where an OSD is ({@code osd find <id>}).
   *
   * @return empty when the monitors do not know, as of one that was never started
   */
  Optional<Osd> osd(int id) throws IOException;

  /**
   * A placement group.
   *
   * @param number within the pool
   * @param acting the OSDs that serve it, the primary first; of an erasure-coded pool each has one
   *     part
   */
  record PlacementGroup(int number, List<Integer> acting) {
    public PlacementGroup {
      acting = List.copyOf(acting);
    }
  }

  /**
   * An OSD.
   *
   * @param host the name of the machine, as the OSD itself has told it
   * @param address of its public side, {@code address:port}
   */
  record Osd(String host, String address) {}
}
