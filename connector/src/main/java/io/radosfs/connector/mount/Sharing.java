// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.OneForAll;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Expensive values, each shared by all users that ask for it with an equal key, and closed when the
 * last of them releases it. Thread-safe; users of one key do not wait for those of another.
 *
 * <p>A value that is no longer usable is not shared any more: the next user gets a new one. Users
 * that have the old value keep it until they release it.
 */
final class Sharing<K, V extends AutoCloseable> {

  /** Makes the value of a key. */
  interface Maker<K, V> {
    V make(K key) throws IOException;
  }

  private final class Shared {
    private final OneForAll making = new OneForAll("another thread connects");
    private volatile V value;
    private int users;

    private boolean isWornOut() {
      return value != null && !usable.test(value);
    }
  }

  private final Maker<K, V> maker;
  private final Predicate<V> usable;
  private final Map<K, Shared> shared = new HashMap<>();

  /** For values that are usable as long as they have users. */
  Sharing(Maker<K, V> maker) {
    this(maker, any -> true);
  }

  /**
   * @param usable false once the value is no longer usable, and false for ever after
   */
  Sharing(Maker<K, V> maker, Predicate<V> usable) {
    this.maker = maker;
    this.usable = usable;
  }

  /**
   * Returns a share in the key's value, which is made if it has no user. One user makes it for all
   * that wait for it, see {@link OneForAll}.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  Share acquire(K key) throws IOException {
    Shared entry = enter(key);
    try {
      entry.making.run(() -> entry.value = maker.make(key));
      return new Share(key, entry);
    } catch (IOException | RuntimeException | Error e) {
      leave(key, entry, e);
      throw e;
    }
  }

  /** Without a share. Others may have made the value, and released it, while this user waited. */
  private void leave(K key, Shared entry, Throwable reason) {
    if (leave(key, entry) && entry.value != null) {
      try {
        close(entry.value);
      } catch (IOException | RuntimeException e) {
        reason.addSuppressed(e);
      }
    }
  }

  private synchronized Shared enter(K key) {
    Shared entry = shared.computeIfAbsent(key, any -> new Shared());
    if (entry.isWornOut()) {
      entry = new Shared();
      shared.put(key, entry);
    }
    entry.users++;
    return entry;
  }

  /** Returns whether that was the last user. */
  private synchronized boolean leave(K key, Shared entry) {
    if (--entry.users > 0) {
      return false;
    }
    boolean unused = shared.remove(key, entry);
    return true;
  }

  /** A share in a value. Closing it releases it; closing it again has no effect. */
  final class Share {
    private final K key;
    private final Shared entry;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Share(K key, Shared entry) {
      this.key = key;
      this.entry = entry;
    }

    V value() {
      return entry.value;
    }

    /**
     * Returns one more share in the same value.
     *
     * @throws IOException if this one is closed
     */
    Share another() throws IOException {
      synchronized (Sharing.this) {
        if (closed.get()) {
          throw new IOException(key + ": Filesystem closed");
        }
        entry.users++;
      }
      return new Share(key, entry);
    }

    void close() throws IOException {
      if (!closed.compareAndSet(false, true) || !leave(key, entry)) {
        return;
      }
      Sharing.close(value());
    }
  }

  private static void close(AutoCloseable value) throws IOException {
    try {
      value.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
