// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.superblock;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All data pools that layouts of directories have ever named, and whether there is any layout: the
 * omap of {@link ObjectNames#LAYOUTS}. A pool is listed before the first layout names it, and so
 * before its first byte. It stays listed, so that its data is found when no directory names it any
 * more.
 */
public final class DataPools {

  /** Exists since the first layout, whether or not that names a pool. */
  private static final String ANY = "layouts";

  private static final String POOL_PREFIX = "pool/";
  private static final byte[] PRESENT = "1".getBytes(StandardCharsets.UTF_8);

  private final ObjectStore index;

  public DataPools(ObjectStore index) {
    this.index = index;
  }

  /** Registers a layout that is about to be used. One write; repeating it changes nothing. */
  public void register(DataLayout layout) throws IOException {
    Map<String, byte[]> keys = new HashMap<>(Map.of(ANY, PRESENT));
    layout.pool().ifPresent(pool -> keys.put(POOL_PREFIX + pool, PRESENT));
    WriteOp op = WriteOp.builder().createIfMissing().setOmap(keys).build();
    RepeatableOps.repeat(() -> index.write(ObjectNames.LAYOUTS, op));
  }

  /** Whether a directory may have a layout. One read. */
  public boolean anyLayout() throws IOException {
    return Reads.find(index, ObjectNames.LAYOUTS, ReadOp.builder().size().build()).isPresent();
  }

  /** The pools. One read for each {@value ReadOp#MAX_RANGE} of them. */
  public Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String key : Reads.omap(index, ObjectNames.LAYOUTS, POOL_PREFIX).keySet()) {
      names.add(key.substring(POOL_PREFIX.length()));
    }
    return names;
  }
}
