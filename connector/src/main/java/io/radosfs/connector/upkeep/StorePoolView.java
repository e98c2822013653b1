// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** A pool in RADOS. Keeps the names of all its objects in memory. */
final class StorePoolView implements PoolView {

  private final ObjectStore store;
  private Set<String> names;

  StorePoolView(ObjectStore store) {
    this.store = store;
  }

  @Override
  public RadosCommands commands() {
    return RadosCommands.on(store);
  }

  @Override
  public Set<String> names() throws IOException {
    if (names == null) {
      Set<String> listed = new HashSet<>();
      store.list(listed::add);
      names = listed;
    }
    return names;
  }

  @Override
  public boolean exists(String object) throws IOException {
    return Reads.find(store, object, ReadOp.builder().size().build()).isPresent();
  }

  @Override
  public Optional<Map<String, byte[]>> find(String object, Set<String> keys) throws IOException {
    return Reads.find(store, object, ReadOp.builder().omapByKeys(keys).build())
        .map(found -> found.omap(0));
  }

  @Override
  public Optional<Values> find(String object, Set<String> keys, String xattr) throws IOException {
    return Reads.find(store, object, ReadOp.builder().omapByKeys(keys).xattr(xattr).build())
        .map(found -> new Values(found.omap(0), found.xattr(1)));
  }

  @Override
  public void omap(String object, ToIntFunction<String> size, OmapVisitor visitor)
      throws IOException {
    String after = "";
    boolean more = true;
    while (more) {
      Optional<ReadResult> page =
          Reads.find(
              store, object, ReadOp.builder().omapRange(after, "", size.applyAsInt(after)).build());
      if (page.isEmpty()) {
        return;
      }
      for (Map.Entry<String, byte[]> entry : page.get().omap(0).entrySet()) {
        visitor.visit(entry.getKey(), entry.getValue());
        after = entry.getKey();
      }
      more = page.get().more(0);
    }
  }

  @Override
  public Optional<StoredStripe> stripe(String object, boolean content) throws IOException {
    return Reads.find(store, object, StoredStripe.read(content)).map(StoredStripe::of);
  }
}
