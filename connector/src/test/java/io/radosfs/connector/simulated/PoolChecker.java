package io.radosfs.connector.simulated;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import io.radosfs.connector.upkeep.PoolView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Checks a whole simulated namespace, object by object, against I1 and I4: what {@code radosfs
 * fsck} checks, and that no data object was written twice.
 */
public final class PoolChecker {

  private PoolChecker() {}

  /**
   * Checks the objects of a namespace.
   *
   * @throws AssertionError that lists what is wrong
   */
  public static void check(SortedMap<String, ObjectView> objects) throws IOException {
    check(objects, Set.of());
  }

  /** The same, with objects that something else is known to lead to. */
  public static void check(SortedMap<String, ObjectView> objects, Set<String> known)
      throws IOException {
    View view = new View(objects);
    List<String> faults = new ArrayList<>();
    for (Finding finding : new PoolInspector(view, true).inspect(view).findings()) {
      if (finding.kind() != Finding.Kind.LEAK || !known.contains(finding.subject())) {
        faults.add("I4: " + finding);
      }
    }
    objects.forEach(
        (name, object) -> {
          if (object.dataWrites() > 1) {
            faults.add("I1: data was written more than once to '" + name + "'");
          }
        });
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults) + "\nin " + describe(objects));
    }
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

  /** The namespace as it was at one instant; index and data in one. */
  private record View(SortedMap<String, ObjectView> objects) implements PoolView, PoolView.Pools {

    @Override
    public PoolView index() {
      return this;
    }

    @Override
    public PoolView of(FileData file) {
      return this;
    }

    @Override
    public String pool() {
      return SimulatedMount.POOL;
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
    public Optional<byte[]> value(String object, String key) {
      return Optional.ofNullable(objects.get(object)).map(view -> view.omap().get(key));
    }

    @Override
    public void omap(String object, OmapReader reader) throws IOException {
      if (objects.containsKey(object)) {
        for (Map.Entry<String, byte[]> entry : objects.get(object).omap().entrySet()) {
          reader.read(entry.getKey(), entry.getValue());
        }
      }
    }

    @Override
    public Optional<Data> data(String object) {
      return Optional.ofNullable(objects.get(object))
          .map(
              view ->
                  new Data(
                      view.data().length,
                      Optional.ofNullable(view.xattrs().get(FileData.UID_XATTR))
                          .map(uid -> new String(uid, StandardCharsets.UTF_8))));
    }
  }
}
