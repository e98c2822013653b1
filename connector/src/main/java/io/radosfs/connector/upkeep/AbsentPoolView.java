// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.store.RadosCommands;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** A data pool that does not exist any more: it is empty. */
record AbsentPoolView(RadosCommands commands) implements PoolView {

  @Override
  public Set<String> names() {
    return Set.of();
  }

  @Override
  public boolean exists(String object) {
    return false;
  }

  @Override
  public Optional<Map<String, byte[]>> find(String object, Set<String> keys) {
    return Optional.empty();
  }

  @Override
  public Optional<Values> find(String object, Set<String> keys, String xattr) {
    return Optional.empty();
  }

  @Override
  public void omap(String object, ToIntFunction<String> page, OmapVisitor visitor) {
    // There is none.
  }

  @Override
  public Optional<StoredStripe> stripe(String object, boolean content) {
    return Optional.empty();
  }
}
