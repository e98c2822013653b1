// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What clients put into the pool as other programs do, without radosfs. Thread-safe. */
final class AdoptableObjects {

  /** What their content begins with, and no other. */
  private static final String PUT = "put ";

  private final Set<String> names = new HashSet<>();
  private final Set<String> contents = new HashSet<>();

  /** What one is to have as content. */
  static String content(String unique) {
    return PUT + unique;
  }

  /** Those of a pool, of whatever file they are by now, with their content. */
  static Map<FsPath, String> in(SimulatedCluster cluster) {
    Map<FsPath, String> found = new TreeMap<>();
    cluster
        .objects(SimulatedMount.POOL, "")
        .forEach(
            (name, object) -> {
              if (isForeign(object)) {
                found.put(FsPath.ofKey(name), text(object.data()));
              }
            });
    return found;
  }

  /** The content of one to which an adoption has given this uid. */
  static Optional<String> contentOf(SimulatedCluster cluster, String object, byte[] uid) {
    return Optional.ofNullable(cluster.objects(SimulatedMount.POOL, "").get(object))
        .filter(view -> Arrays.equals(uid, view.xattrs().get(FileData.UID_XATTR)))
        .map(view -> text(view.data()));
  }

  /**
   * Whether nothing need lead to an object: it is as it was put, or has got an identity by an
   * adoption, and nothing else since.
   */
  static boolean mayBeLedToByNothing(SimulatedCluster cluster, String object) {
    ObjectView view = cluster.objects(SimulatedMount.POOL, "").get(object);
    return view != null
        && isForeign(view)
        && Arrays.equals(
            view.xattrs().get(FileData.UID_XATTR), view.xattrs().get(FileData.ADOPTED_XATTR))
        && !view.xattrs().containsKey(FileData.OWNER_XATTR);
  }

  private static boolean isForeign(ObjectView object) {
    return text(object.data()).startsWith(PUT);
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }

  /** One is about to be put. */
  synchronized void begun(FsPath path) {
    names.add(path.key());
  }

  /** One was put, or is seen to have been. */
  synchronized void isThere(String content) {
    contents.add(content);
  }

  /** Whether one was put under this name, or was to be. */
  synchronized boolean mayBe(String object) {
    return names.contains(object);
  }

  /** Those of all that were certainly put. */
  synchronized Set<String> contents() {
    return new TreeSet<>(contents);
  }
}
