// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Things that are costly to have, each shared by all that ask for it by an equal key, and closed
 * with the last of them. Thread-safe; whoever asks for one key does not wait for those of another.
 *
 * <p>One that is of no more use is shared no more: whoever asks next gets another, while those that
 * have it keep it until they let go of it.
 */
final class Sharing<K, V extends AutoCloseable> {

  /** Makes what a key stands for. */
  interface Maker<K, V> {
    V make(K key) throws IOException;
  }

  private final class Shared {
    private final ReentrantLock making = new ReentrantLock();
    private volatile V value;
    private int users;

    private boolean isWornOut() {
      return value != null && !usable.test(value);
    }
  }

  private final Maker<K, V> maker;
  private final Predicate<V> usable;
  private final Map<K, Shared> shared = new HashMap<>();

  /** For what is of use as long as somebody has it. */
  Sharing(Maker<K, V> maker) {
    this(maker, any -> true);
  }

  /**
   * @param usable false once it is of no more use, for ever
   */
  Sharing(Maker<K, V> maker, Predicate<V> usable) {
    this.maker = maker;
    this.usable = usable;
  }

  /**
   * A share in what the key stands for, which is made if nobody has it.
   *
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  Share acquire(K key) throws IOException {
    Shared entry = enter(key);
    boolean acquired = false;
    try {
      lock(entry.making);
      try {
        if (entry.value == null) {
          entry.value = maker.make(key);
        }
      } finally {
        entry.making.unlock();
      }
      acquired = true;
      return new Share(key, entry);
    } finally {
      if (!acquired) {
        boolean unused = leave(key, entry);
      }
    }
  }

  private static void lock(ReentrantLock lock) throws InterruptedIOException {
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while another thread connects").initCause(e);
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

  /** Whether that was the last user. */
  private synchronized boolean leave(K key, Shared entry) {
    if (--entry.users > 0) {
      return false;
    }
    boolean unused = shared.remove(key, entry);
    return true;
  }

  /** Closing it, once however often, lets go of the share. */
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

    void close() throws IOException {
      if (!closed.compareAndSet(false, true) || !leave(key, entry)) {
        return;
      }
      try {
        value().close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
