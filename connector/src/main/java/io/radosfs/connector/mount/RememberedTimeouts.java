// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers for a short while that making a value has timed out, and fails at once then. Hadoop and
 * Spark open a file system again as soon as that has failed, and would wait again as long for a
 * cluster that is down. Other failures take no time and are not remembered. Thread-safe.
 */
final class RememberedTimeouts<K, V> implements Sharing.Maker<K, V> {

  static final Duration REMEMBERED = Duration.ofSeconds(10);

  private record Timeout(StoreException failure, long nanos) {}

  private final Sharing.Maker<K, V> maker;
  private final LongSupplier nanoTime;
  private final Map<K, Timeout> timeouts = new HashMap<>();

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  RememberedTimeouts(Sharing.Maker<K, V> maker, LongSupplier nanoTime) {
    this.maker = maker;
    this.nanoTime = nanoTime;
  }

  @Override
  public V make(K key) throws IOException {
    throwRemembered(key);
    try {
      return maker.make(key);
    } catch (StoreException e) {
      if (e.is(Kind.TIMED_OUT)) {
        remember(key, e);
      }
      throw e;
    }
  }

  private synchronized void throwRemembered(K key) throws StoreException {
    long now = nanoTime.getAsLong();
    timeouts.values().removeIf(timeout -> now - timeout.nanos() >= REMEMBERED.toNanos());
    Timeout timeout = timeouts.get(key);
    if (timeout != null) {
      long left = REMEMBERED.toNanos() - (now - timeout.nanos());
      throw new StoreException(
          Kind.TIMED_OUT,
          "",
          timeout.failure().getMessage()
              + " (This was so a moment ago, and is not tried again for "
              + Math.max(1, Duration.ofNanos(left).toSeconds())
              + " s)",
          timeout.failure());
    }
  }

  private synchronized void remember(K key, StoreException failure) {
    timeouts.put(key, new Timeout(failure, nanoTime.getAsLong()));
  }
}
