// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where the objects of a pool are, as the monitors tell it. Each method is one command to a monitor
 * and its answer ({@code rados_mon_command}), for which {@code mon 'allow r'} suffices; no message
 * to an OSD. Usable while the store is open. Thread-safe.
 */
public interface PoolPlacement {

  /** How many placement groups the pool has ({@code osd pool get <pool> pg_num}). */
  int placementGroups() throws IOException;

  /**
   * The placement group of an object in the store's namespace, whether the object exists or not
   * ({@code osd map <pool> <object> <namespace>}).
   */
  PlacementGroup of(String object) throws IOException;

  /**
   * Where an OSD is ({@code osd find <id>}).
   *
   * @return empty if the monitors do not know, for example because the OSD was never started
   */
  Optional<Osd> osd(int id) throws IOException;

  /** How many copies, or parts, of each object there are ({@code osd pool get}, two commands). */
  Copies copies() throws IOException;

  /**
   * How many copies of an object there are; of an erasure-coded pool, parts.
   *
   * @param size that are wanted
   * @param minimum without which the pool answers nothing
   */
  record Copies(int size, int minimum) {}

  /**
   * A placement group.
   *
   * @param number its number within the pool
   * @param acting the OSDs that serve it, the primary first; each has one part if erasure-coded
   */
  record PlacementGroup(int number, List<Integer> acting) {
    public PlacementGroup {
      acting = List.copyOf(acting);
    }
  }

  /**
   * An OSD.
   *
   * @param host the name of its machine, as the OSD itself reports it
   * @param address its public address, {@code address:port}
   */
  record Osd(String host, String address) {}
}
