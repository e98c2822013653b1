// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.OmapEntries;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** An object as an OSD holds it. Not thread-safe: the cluster's lock guards it. */
final class StoredObject {

  private byte[] data = new byte[0];
  private final TreeMap<String, byte[]> xattrs = new TreeMap<>(Utf8Order.COMPARATOR);
  private final TreeMap<String, byte[]> omap = new TreeMap<>(Utf8Order.COMPARATOR);
  private int dataWrites;

  int size() {
    return data.length;
  }

  StoredObject copy() {
    StoredObject copy = new StoredObject();
    copy.data = data;
    copy.xattrs.putAll(xattrs);
    copy.omap.putAll(omap);
    copy.dataWrites = dataWrites;
    return copy;
  }

  ObjectView view(String name) {
    return new ObjectView(name, data.clone(), copy(xattrs), copy(omap), dataWrites);
  }

  private static SortedMap<String, byte[]> copy(Map<String, byte[]> map) {
    TreeMap<String, byte[]> copy = new TreeMap<>(Utf8Order.COMPARATOR);
    map.forEach((key, value) -> copy.put(key, value.clone()));
    return copy;
  }

  byte[] xattr(String name) {
    return xattrs.getOrDefault(name, NOTHING);
  }

  byte[] omapValue(String key) {
    return omap.getOrDefault(key, NOTHING);
  }

  private static final byte[] NOTHING = new byte[0];

  /** Applies one step that the caller has found to be possible, other than a removal. */
  void apply(WriteOp.Step step) {
    if (step instanceof WriteOp.SetOmap set) {
      set.entries().forEach((key, value) -> omap.put(key, value.clone()));
    } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
      remove.keys().forEach(omap::remove);
    } else if (step instanceof WriteOp.SetXattr set) {
      xattrs.put(set.name(), set.value().clone());
    } else if (step instanceof WriteOp.WriteFull full) {
      data = Steps.bytes(full.data());
      dataWrites++;
    }
  }

  /**
   * Runs a read; buffers are filled only when every step succeeds.
   *
   * @param maxEntries of a range that one answer holds
   */
  ReadResult read(String name, ReadOp op, int maxEntries) throws StoreException {
    for (ReadOp.Step step : op.steps()) {
      if (step instanceof ReadOp.CompareXattr compare
          && !Arrays.equals(compare.expected(), xattr(compare.name()))) {
        throw new StoreException(
            Kind.GUARD_FAILED, name, "xattr " + compare.name() + " of '" + name + "' differs");
      }
    }
    List<ReadResult.StepResult> results = new ArrayList<>();
    for (ReadOp.Step step : op.steps()) {
      results.add(answer(step, maxEntries));
    }
    return new ReadResult(results);
  }

  private ReadResult.StepResult answer(ReadOp.Step step, int maxEntries) {
    if (step instanceof ReadOp.CompareXattr) {
      return new ReadResult.Passed();
    } else if (step instanceof ReadOp.OmapByKeys byKeys) {
      TreeMap<String, byte[]> found = new TreeMap<>(Utf8Order.COMPARATOR);
      for (String key : byKeys.keys()) {
        byte[] value = omap.get(key);
        if (value != null) {
          found.put(key, value.clone());
        }
      }
      return new ReadResult.Omap(OmapEntries.of(found), false);
    } else if (step instanceof ReadOp.OmapRange range) {
      return range(range, maxEntries);
    } else if (step instanceof ReadOp.Data read) {
      return new ReadResult.Bytes(fill(read.offset(), read.into()));
    } else if (step instanceof ReadOp.Crc32c) {
      CRC32C checksum = new CRC32C();
      checksum.update(data);
      return new ReadResult.Checksum((int) checksum.getValue());
    } else if (step instanceof ReadOp.Size) {
      return new ReadResult.Bytes(data.length);
    } else {
      byte[] value = xattrs.get(((ReadOp.Xattr) step).name());
      return new ReadResult.XattrValue(Optional.ofNullable(value).map(byte[]::clone));
    }
  }

  private ReadResult.Omap range(ReadOp.OmapRange range, int maxEntries) {
    int max = Math.min(range.max(), maxEntries);
    boolean prefixFirst = Utf8Order.COMPARATOR.compare(range.prefix(), range.startAfter()) > 0;
    SortedMap<String, byte[]> from =
        prefixFirst ? omap.tailMap(range.prefix(), true) : omap.tailMap(range.startAfter(), false);
    TreeMap<String, byte[]> found = new TreeMap<>(Utf8Order.COMPARATOR);
    for (Map.Entry<String, byte[]> entry : from.entrySet()) {
      if (!entry.getKey().startsWith(range.prefix())) {
        break;
      }
      if (found.size() >= max) {
        return new ReadResult.Omap(OmapEntries.of(found), true);
      }
      found.put(entry.getKey(), entry.getValue().clone());
    }
    return new ReadResult.Omap(OmapEntries.of(found), false);
  }

  private int fill(long offset, ByteBuffer into) {
    if (offset >= data.length) {
      return 0;
    }
    int count = Math.min(into.remaining(), data.length - (int) offset);
    into.duplicate().put(data, (int) offset, count);
    return count;
  }
}
