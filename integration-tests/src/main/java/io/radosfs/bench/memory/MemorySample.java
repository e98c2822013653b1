// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The memory in use at an instant.
 *
 * @param seconds since sampling began
 * @param bytes of each kind
 */
public record MemorySample(double seconds, Map<MemoryKind, Long> bytes) {

  public MemorySample {
    Map<MemoryKind, Long> copy = new EnumMap<>(MemoryKind.class);
    copy.putAll(bytes);
    bytes = Collections.unmodifiableMap(copy);
  }
}
