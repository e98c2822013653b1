package io.radosfs.connector.mount;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Things that are costly to have, each shared by all that ask for it by an equal key, and closed
 * with the last of them. Thread-safe; who asks for one key does not wait for those of another.
 */
final class Sharing<K, V extends AutoCloseable> {

  /** Makes what a key stands for. */
  interface Maker<K, V> {
    V make(K key) throws IOException;
  }

  private final class Shared {
    private V value;
    private int users;
  }

  private final Maker<K, V> maker;
  private final Map<K, Shared> shared = new HashMap<>();

  Sharing(Maker<K, V> maker) {
    this.maker = maker;
  }

  /** A share in what the key stands for, which is made if nobody has it. */
  Share acquire(K key) throws IOException {
    Shared entry = enter(key);
    boolean acquired = false;
    try {
      synchronized (entry) {
        if (entry.value == null) {
          entry.value = maker.make(key);
        }
      }
      acquired = true;
      return new Share(key, entry);
    } finally {
      if (!acquired) {
        boolean unused = leave(key, entry);
      }
    }
  }

  private synchronized Shared enter(K key) {
    Shared entry = shared.computeIfAbsent(key, any -> new Shared());
    entry.users++;
    return entry;
  }

  /** Whether that was the last user. */
  private synchronized boolean leave(K key, Shared entry) {
    if (--entry.users > 0) {
      return false;
    }
    shared.remove(key);
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
      synchronized (entry) {
        return entry.value;
      }
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
