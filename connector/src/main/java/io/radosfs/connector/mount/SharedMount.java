// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.retry.Pauses;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A share in a {@link Mount}: all file systems of the process with the same URI and settings have
 * the same one. A FileContext makes a file system of its own each time and never closes it (Delta
 * does so for every commit), which then costs no RADOS operation and no thread.
 */
public final class SharedMount implements Closeable {

  /** What makes two mounts the same. */
  private record Key(Authority authority, Map<String, String> values) {
    @Override
    public String toString() {
      return authority.toString(); // Settings may hold what is not for everybody.
    }
  }

  private record Request(Key key, Configuration conf) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Request that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return key.hashCode();
    }
  }

  private static final Sharing<Request, LastingMount> SHARED =
      new Sharing<>(
          request ->
              new LastingMount(
                  Mount.open(request.key().authority(), request.conf()), Pauses.real()));

  private final Sharing<Request, LastingMount>.Share share;

  private SharedMount(Sharing<Request, LastingMount>.Share share) {
    this.share = share;
  }

  /** As {@link Mount#open}, unless it is open already. */
  public static SharedMount acquire(Authority authority, Configuration conf) throws IOException {
    Key key = new Key(authority, new Settings(conf, authority.pool()).values());
    return new SharedMount(SHARED.acquire(new Request(key, conf)));
  }

  /**
   * The mount to begin something with, and to end it with: another one than before where the
   * cluster has blocklisted that one's connection. Then it costs what {@link Mount#open} does, and
   * may wait for its turn.
   */
  public Mount mount() throws IOException {
    return share.value().current();
  }

  /** The mount that there was last, though its connection may be cut off. */
  public Mount latest() {
    return share.value().latest();
  }

  /** A store that reads the data of this file, and goes on reading by the next connection. */
  public ObjectStore reading(FileData file) throws IOException {
    return new FollowingReads(share.value(), file, share.value().current().dataStores().of(file));
  }

  /** Lets go of it; the last one closes it. */
  @Override
  public void close() throws IOException {
    share.close();
  }
}
