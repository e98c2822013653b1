// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.PoolTraffic;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A pool's objects and rules. Not thread-safe: the cluster's lock guards it. */
final class SimulatedPool {

  private static final long NO_QUOTA = Long.MAX_VALUE;

  private final String name;
  private final boolean omapSupported;
  private final Map<String, TreeMap<String, StoredObject>> namespaces = new HashMap<>();
  private final Map<String, Integer> dataWritesByName = new HashMap<>();
  private long dataBytesWritten;
  private long bytesRead;
  private long reads;
  private long writes;
  private long quotaBytes = NO_QUOTA;
  private long maxWriteBytes = SimulatedCluster.MAX_WRITE_BYTES;
  private int maxOmapEntries = SimulatedCluster.MAX_OMAP_ENTRIES_PER_REQUEST;
  private boolean full;
  private boolean removed;
  private Set<String> applications = Set.of();

  /**
   * Of the reads that any copy may answer, each how-manieth one that is behind answers; 0: none.
   */
  private int behind;

  private int anyCopyReads;

  /**
   * What a copy holds that has not got the last change of an object's data: what was there before,
   * which may be no object.
   */
  private final Map<String, Optional<StoredObject>> before = new HashMap<>();

  SimulatedPool(String name, boolean omapSupported) {
    this.name = name;
    this.omapSupported = omapSupported;
  }

  SimulatedPool copy() {
    SimulatedPool copy = new SimulatedPool(name, omapSupported);
    namespaces.forEach(
        (namespace, objects) ->
            objects.forEach(
                (object, stored) -> copy.objects(namespace).put(object, stored.copy())));
    copy.dataWritesByName.putAll(dataWritesByName);
    copy.dataBytesWritten = dataBytesWritten;
    copy.quotaBytes = quotaBytes;
    copy.maxWriteBytes = maxWriteBytes;
    copy.maxOmapEntries = maxOmapEntries;
    copy.full = full;
    copy.applications = applications;
    copy.behind = behind;
    copy.anyCopyReads = anyCopyReads;
    copy.before.putAll(before);
    return copy;
  }

  /** From now on it answers as if each object were missing, whatever the operation. */
  void clear() {
    namespaces.clear();
    removed = true;
  }

  void setApplications(Set<String> names) {
    applications = names;
  }

  Set<String> applications() {
    return applications;
  }

  void setQuota(long bytes) {
    quotaBytes = bytes;
  }

  void setAtQuota(boolean reached) {
    quotaBytes = reached ? Math.max(1, bytes()) : NO_QUOTA;
  }

  void setMaxWriteBytes(long bytes) {
    maxWriteBytes = bytes;
  }

  void setMaxOmapEntries(int entries) {
    maxOmapEntries = entries;
  }

  void setCopiesBehind(int each) {
    behind = each;
  }

  void setFull(boolean isFull) {
    full = isFull;
  }

  /** 0 for none. */
  long quota() {
    return quotaBytes == NO_QUOTA ? 0 : quotaBytes;
  }

  PoolTraffic traffic() {
    return new PoolTraffic(reads, bytesRead, writes, dataBytesWritten);
  }

  long dataBytesWritten() {
    return dataBytesWritten;
  }

  int dataWrites(String namespace, String object) {
    return dataWritesByName.getOrDefault(key(namespace, object), 0);
  }

  SortedMap<String, ObjectView> view(String namespace) {
    TreeMap<String, ObjectView> views = new TreeMap<>(Utf8Order.COMPARATOR);
    objects(namespace).forEach((object, stored) -> views.put(object, stored.view(object)));
    return views;
  }

  List<String> names(String namespace) {
    return List.copyOf(objects(namespace).keySet());
  }

  Set<String> namespaces() {
    Set<String> names = new HashSet<>();
    namespaces.forEach(
        (namespace, objects) -> {
          if (!objects.isEmpty()) {
            names.add(namespace);
          }
        });
    return names;
  }

  long bytes() {
    return namespaces.values().stream()
        .flatMap(objects -> objects.values().stream())
        .mapToLong(StoredObject::size)
        .sum();
  }

  long objectCount() {
    return namespaces.values().stream().mapToLong(Map::size).sum();
  }

  private TreeMap<String, StoredObject> objects(String namespace) {
    return namespaces.computeIfAbsent(namespace, any -> new TreeMap<>(Utf8Order.COMPARATOR));
  }

  ReadResult read(String namespace, String object, ReadOp op) throws StoreException {
    checkName(object);
    StoredObject stored = objects(namespace).get(object);
    if (op.from() != ReadFrom.PRIMARY && behind > 0 && ++anyCopyReads % behind == 0) {
      stored =
          before.getOrDefault(key(namespace, object), Optional.ofNullable(stored)).orElse(null);
    }
    if (stored == null) {
      throw failure(Kind.NOT_FOUND, object, "no such object");
    }
    ReadResult result = stored.read(object, op, maxOmapEntries);
    reads++;
    for (ReadResult.StepResult step : result.steps()) {
      bytesRead += step instanceof ReadResult.Bytes bytes ? bytes.count() : 0;
    }
    return result;
  }

  /** Takes a key of an object away, whatever else is so. */
  void removeOmapKey(String namespace, String object, String key) {
    objects(namespace).get(object).apply(new WriteOp.RemoveOmapKeys(List.of(key)));
  }

  /** Checks every step against the object as it is, then applies them all; nothing fails midway. */
  void write(String namespace, String object, WriteOp op) throws StoreException {
    checkName(object);
    require(!removed, Kind.NOT_FOUND, object, "the pool was removed");
    if (payload(op) > maxWriteBytes) {
      throw failure(Kind.TOO_LARGE, object, "beyond osd_max_write_size");
    }
    TreeMap<String, StoredObject> objects = objects(namespace);
    require(
        !full || op.steps().stream().anyMatch(WriteOp.Remove.class::isInstance),
        Kind.NO_SPACE,
        object,
        "the pool is full");
    check(object, objects.get(object), op);
    writes++;
    if (op.steps().stream().anyMatch(SimulatedPool::isOfData)) {
      before.put(
          key(namespace, object), Optional.ofNullable(objects.get(object)).map(StoredObject::copy));
    }
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.Remove) {
        objects.remove(object);
      } else if (changes(step)) {
        objects.computeIfAbsent(object, any -> new StoredObject()).apply(step);
        if (step instanceof WriteOp.WriteFull full) {
          dataBytesWritten += full.data().remaining();
          dataWritesByName.merge(key(namespace, object), 1, Integer::sum);
        }
      }
    }
  }

  private static boolean isOfData(WriteOp.Step step) {
    return step instanceof WriteOp.WriteFull || step instanceof WriteOp.Remove;
  }

  private static String key(String namespace, String object) {
    return namespace + '\0' + object;
  }

  private static boolean changes(WriteOp.Step step) {
    return !(step instanceof WriteOp.AssertExists
        || step instanceof WriteOp.CompareOmap
        || step instanceof WriteOp.CompareXattr
        || step instanceof WriteOp.EvenIfFull);
  }

  /** An OSD compares a missing xattr as an empty one. */
  private static byte[] orEmpty(byte[] xattr) {
    return xattr == null ? new byte[0] : xattr;
  }

  /**
   * Fails as an OSD would. Whether the object exists is followed from step to step; values are
   * compared with those from before the operation, as an OSD does.
   */
  private void check(String object, StoredObject before, WriteOp op) throws StoreException {
    StoredObject values = before;
    boolean exists = before != null;
    boolean removed = false;
    long size = before == null ? 0 : before.size();
    Set<String> changedKeys = new HashSet<>();
    Set<String> changedXattrs = new HashSet<>();
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.EvenIfFull) {
        continue;
      } else if (step instanceof WriteOp.AssertExists) {
        require(exists, Kind.NOT_FOUND, object, "no such object");
      } else if (step instanceof WriteOp.CreateExclusive) {
        require(!exists, Kind.EXISTS, object, "the object exists");
        exists = true;
      } else if (step instanceof WriteOp.CreateIfMissing) {
        exists = true;
      } else if (step instanceof WriteOp.CompareOmap compare) {
        // Measured: without a create step before it, a guard on a missing object is ENOENT.
        require(exists, Kind.NOT_FOUND, object, "no such object");
        guardFirst(changedKeys, compare.key());
        byte[] value = values == null ? new byte[0] : values.omapValue(compare.key());
        require(
            Arrays.equals(value, compare.expected()),
            Kind.GUARD_FAILED,
            object,
            "omap key " + compare.key() + " differs");
      } else if (step instanceof WriteOp.CompareXattr compare) {
        // Measured: ENOENT even when the operation has just created the object.
        require(exists && values != null, Kind.NOT_FOUND, object, "no such object");
        guardFirst(changedXattrs, compare.name());
        require(
            Arrays.equals(orEmpty(values.xattr(compare.name())), compare.expected()),
            Kind.GUARD_FAILED,
            object,
            "xattr " + compare.name() + " differs");
      } else if (step instanceof WriteOp.SetOmap set) {
        requireOmap(object);
        set.entries().keySet().forEach(Utf8Order::length);
        changedKeys.addAll(set.entries().keySet());
        exists = true;
      } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
        requireOmap(object);
        require(exists, Kind.NOT_FOUND, object, "no such object");
        changedKeys.addAll(remove.keys());
      } else if (step instanceof WriteOp.SetXattr set) {
        require(
            Utf8Order.length(set.name()) <= SimulatedCluster.MAX_XATTR_NAME_BYTES,
            Kind.NAME_TOO_LONG,
            object,
            "xattr name too long");
        changedXattrs.add(set.name());
        exists = true;
      } else if (step instanceof WriteOp.WriteFull full) {
        int length = full.data().remaining();
        require(
            length <= SimulatedCluster.MAX_OBJECT_BYTES,
            Kind.TOO_LARGE,
            object,
            "beyond osd_max_object_size");
        size = length;
        exists = true;
      } else if (step instanceof WriteOp.HintWrittenOnce) {
        exists = true; // an OSD makes the object for it
      } else if (step instanceof WriteOp.Remove) {
        require(exists, Kind.NOT_FOUND, object, "no such object");
        if (removed) {
          throw new IllegalArgumentException(
              "an operation removes '" + object + "' twice, at which Ceph removes nothing");
        }
        removed = true;
        exists = false;
        values = null;
        size = 0;
      } else {
        throw new AssertionError("a step that the simulation does not know: " + step);
      }
    }
    if (quotaBytes != NO_QUOTA && !op.isEvenIfFull()) {
      checkQuota(object, exists && before == null, size - (before == null ? 0 : before.size()));
    }
  }

  /** Measured: making an object and growing its data needs room, and nothing else does. */
  private void checkQuota(String object, boolean makes, long growth) throws StoreException {
    boolean room = bytes() < quotaBytes;
    require(
        (room || !makes) && (growth <= 0 || bytes() + growth <= quotaBytes),
        Kind.NO_SPACE,
        object,
        "quota used up");
  }

  /** Comparing what the operation itself has changed is never meant: RADOS sees the old value. */
  private static void guardFirst(Set<String> changed, String name) {
    if (changed.contains(name)) {
      throw new IllegalArgumentException(
          "the guard on '"
              + name
              + "' comes after a change of it in the same operation; RADOS compares the value from"
              + " before the operation: put guards first");
    }
  }

  /**
   * What an operation carries, guards among it: the arguments of its steps, which
   * osd_max_write_size bounds.
   */
  private static long payload(WriteOp op) {
    long bytes = 0;
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.WriteFull full) {
        bytes += full.data().remaining();
      } else if (step instanceof WriteOp.SetOmap set) {
        for (Map.Entry<String, byte[]> entry : set.entries().entrySet()) {
          bytes += 8 + Utf8Order.length(entry.getKey()) + entry.getValue().length;
        }
      } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
        for (String key : remove.keys()) {
          bytes += 4 + Utf8Order.length(key);
        }
      } else if (step instanceof WriteOp.CompareOmap compare) {
        bytes += 8 + Utf8Order.length(compare.key()) + compare.expected().length;
      } else if (step instanceof WriteOp.SetXattr set) {
        bytes += Utf8Order.length(set.name()) + set.value().length;
      }
    }
    return bytes;
  }

  private void checkName(String object) throws StoreException {
    require(!object.isEmpty(), Kind.OTHER, object, "empty object name (EINVAL)");
    require(
        Utf8Order.length(object) <= SimulatedCluster.MAX_NAME_BYTES,
        Kind.NAME_TOO_LONG,
        object,
        "beyond osd_max_object_name_len");
  }

  private void requireOmap(String object) throws StoreException {
    require(omapSupported, Kind.UNSUPPORTED, object, "an erasure-coded pool holds no omap");
  }

  private void require(boolean holds, Kind kind, String object, String message)
      throws StoreException {
    if (!holds) {
      throw failure(kind, object, message);
    }
  }

  private StoreException failure(Kind kind, String object, String message) {
    return new StoreException(
        kind, object, kind + ": pool " + name + ", object '" + object + "': " + message);
  }
}
