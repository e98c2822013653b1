// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * An LRU cache of what a process remembers, so that it need not ask RADOS again. It holds a bounded
 * number of values: those put or read last.
 *
 * <p>No RADOS operation. Thread-safe; each method is atomic.
 */
public final class LruCache<K, V> {

  private final Map<K, V> values;

  /**
   * @param most values that are held
   */
  public LruCache(int most) {
    this(most, (key, value) -> {});
  }

  /**
   * @param most values that are held
   * @param evicted told of each value that is forgotten as there are more
   */
  public LruCache(int most, BiConsumer<K, V> evicted) {
    values =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            boolean full = size() > most;
            if (full) {
              evicted.accept(eldest.getKey(), eldest.getValue());
            }
            return full;
          }
        };
  }

  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(values.get(key));
  }

  public synchronized void put(K key, V value) {
    values.put(key, value);
  }

  /** Combines this value with the remembered one, if any; remembers and returns the result. */
  public synchronized V merge(K key, V value, BinaryOperator<V> together) {
    return values.merge(key, value, together);
  }

  public synchronized void forget(K key) {
    values.remove(key);
  }

  public synchronized void forgetIf(Predicate<K> unwanted) {
    values.keySet().removeIf(unwanted);
  }

  /** Forgets this value; returns false if another value, or none, is remembered. */
  public synchronized boolean forget(K key, V value) {
    return values.remove(key, value);
  }
}
