// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.simulated;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import io.radosfs.connector.upkeep.PoolView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;

/**
 * Checks a whole simulated namespace, object by object, against I1 and I4: what {@code radosfs
 * fsck} checks, and that no data object was written twice.
 */
public final class PoolChecker {

  private PoolChecker() {}

  /**
   * Checks the objects of a namespace.
   *
   * @return what of replaced files is kept
   * @throws AssertionError that lists what is wrong
   */
  public static PoolInspector.Kept check(SortedMap<String, ObjectView> objects) throws IOException {
    return check(objects, Set.of());
  }

  /** The same, with objects that something else is known to lead to. */
  public static PoolInspector.Kept check(SortedMap<String, ObjectView> objects, Set<String> known)
      throws IOException {
    return check(
        objects,
        finding -> finding.kind() == Finding.Kind.LEAK && known.contains(finding.subject()));
  }

  /** The same, with findings that are as they should be. */
  public static PoolInspector.Kept check(
      SortedMap<String, ObjectView> objects, Predicate<Finding> harmless) throws IOException {
    View view = new View(SimulatedMount.POOL, objects, new HashMap<>());
    PoolInspector.Result result = new PoolInspector(view, true).inspect(List.of(view));
    failIfAny(faults(result.findings(), harmless, objects), objects);
    return result.kept();
  }

  private static List<String> faults(
      Set<Finding> findings, Predicate<Finding> harmless, SortedMap<String, ObjectView> objects) {
    List<String> faults = new ArrayList<>();
    for (Finding finding : findings) {
      if (!harmless.test(finding)) {
        faults.add("I4: " + finding);
      }
    }
    objects.forEach(
        (name, object) -> {
          if (object.dataWrites() > 1) {
            faults.add("I1: data was written more than once to '" + name + "'");
          }
        });
    return faults;
  }

  private static void failIfAny(List<String> faults, SortedMap<String, ObjectView> objects) {
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults) + "\nin " + describe(objects));
    }
  }

  /**
   * Checks the default namespaces of the pools of a file system.
   *
   * @param pools that of the index first
   */
  public static void check(SimulatedCluster cluster, String... pools) throws IOException {
    check(cluster, finding -> false, pools);
  }

  /** The same, with findings that are as they should be. */
  public static void check(SimulatedCluster cluster, Predicate<Finding> harmless, String... pools)
      throws IOException {
    Map<String, View> views = new LinkedHashMap<>();
    SortedMap<String, ObjectView> all = new TreeMap<>();
    for (String pool : pools) {
      SortedMap<String, ObjectView> objects = cluster.objects(pool, "");
      views.put(pool, new View(pool, objects, views));
      objects.forEach((name, object) -> all.put(pool + ": " + name, object));
    }
    List<PoolView> data = new ArrayList<>(views.values());
    Set<Finding> findings = new PoolInspector(views.get(pools[0]), true).inspect(data).findings();
    failIfAny(faults(findings, harmless, all), all);
  }

  /** All objects with their omap keys, for a message. */
  public static String describe(SortedMap<String, ObjectView> objects) {
    StringBuilder text = new StringBuilder();
    objects.forEach(
        (name, view) -> {
          text.append("'").append(name).append("' ").append(view.data().length).append(" B\n");
          view.omap()
              .forEach(
                  (key, value) ->
                      text.append("    ")
                          .append(key)
                          .append(" = ")
                          .append(new String(value, StandardCharsets.UTF_8))
                          .append("\n"));
        });
    return text.toString();
  }

  /**
   * The namespace of a pool as it was at one instant.
   *
   * @param others the pools of a file system by their names; one that is missing is this
   */
  private record View(String pool, SortedMap<String, ObjectView> objects, Map<String, View> others)
      implements PoolView, PoolView.Pools {

    @Override
    public PoolView index() {
      return this;
    }

    @Override
    public PoolView of(FileData file) {
      return others.getOrDefault(file.pool().orElse(pool), this);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return pool.hashCode();
    }

    @Override
    public RadosCommands commands() {
      return new RadosCommands(pool, "");
    }

    @Override
    public Set<String> names() {
      return new HashSet<>(objects.keySet());
    }

    @Override
    public boolean exists(String object) {
      return objects.containsKey(object);
    }

    @Override
    public Optional<Map<String, byte[]>> find(String object, Set<String> keys) {
      if (!objects.containsKey(object)) {
        return Optional.empty();
      }
      Map<String, byte[]> values = new HashMap<>(objects.get(object).omap());
      values.keySet().retainAll(keys);
      return Optional.of(values);
    }

    @Override
    public Optional<Values> find(String object, Set<String> keys, String xattr) {
      return find(object, keys)
          .map(
              omap ->
                  new Values(omap, Optional.ofNullable(objects.get(object).xattrs().get(xattr))));
    }

    @Override
    public void omap(String object, ToIntFunction<String> page, OmapVisitor visitor)
        throws IOException {
      if (objects.containsKey(object)) {
        for (Map.Entry<String, byte[]> entry : objects.get(object).omap().entrySet()) {
          visitor.visit(entry.getKey(), entry.getValue());
        }
      }
    }

    @Override
    public Optional<StoredStripe> stripe(String object, boolean content) {
      return Optional.ofNullable(objects.get(object))
          .map(
              view ->
                  new StoredStripe(
                      view.data().length,
                      xattr(view, FileData.UID_XATTR),
                      xattr(view, FileData.OWNER_XATTR),
                      xattr(view, FileData.CRC32C_XATTR),
                      content ? OptionalInt.of(crc32c(view.data())) : OptionalInt.empty()));
    }

    private static Optional<String> xattr(ObjectView view, String name) {
      return Optional.ofNullable(view.xattrs().get(name))
          .map(value -> new String(value, StandardCharsets.UTF_8));
    }

    private static int crc32c(byte[] data) {
      CRC32C checksum = new CRC32C();
      checksum.update(data);
      return (int) checksum.getValue();
    }
  }
}
