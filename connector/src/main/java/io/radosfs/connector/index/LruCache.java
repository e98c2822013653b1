// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * An LRU cache: what a process remembers so that it need not ask RADOS again. At most so many
 * values, those that were put or asked for last.
 *
 * <p>No RADOS operation. Thread-safe; each method is atomic.
 */
public final class LruCache<K, V> {

  private final Map<K, V> values;

  /**
   * @param most values that are held
   */
  public LruCache(int most) {
    values =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(values.get(key));
  }

  public synchronized void put(K key, V value) {
    values.put(key, value);
  }

  /** Puts what the value remembered and this one make together; answers it. */
  public synchronized V merge(K key, V value, BinaryOperator<V> together) {
    return values.merge(key, value, together);
  }

  public synchronized void forget(K key) {
    values.remove(key);
  }

  /** Forgets this value; answers false when it is not what is remembered. */
  public synchronized boolean forget(K key, V value) {
    return values.remove(key, value);
  }
}
