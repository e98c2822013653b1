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
 * A share in a {@link Mount}: all file systems of the process with the same URI and settings share
 * one. A FileContext makes a new file system each time and never closes it (Delta does so for every
 * commit); that then costs no RADOS operation and no thread.
 */
public final class SharedMount implements Closeable {

  /** Mounts with equal keys are the same mount. */
  private record Key(Authority authority, Map<String, String> values) {
    @Override
    public String toString() {
      return authority.toString(); // The settings may hold secrets.
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

  /** The same as {@link Mount#open}, unless the mount is open already. */
  public static SharedMount acquire(Authority authority, Configuration conf) throws IOException {
    Key key = new Key(authority, new Settings(conf, authority.pool()).values());
    return new SharedMount(SHARED.acquire(new Request(key, conf)));
  }

  /**
   * Returns the mount with which to begin and to end something: a new one if the cluster has
   * blocklisted the last one's connection. A new one costs the same as {@link Mount#open}, and may
   * wait.
   */
  public Mount mount() throws IOException {
    return share.value().current();
  }

  /** The last mount, even if its connection is cut off. */
  public Mount latest() {
    return share.value().latest();
  }

  /** A store that reads the data of this file, and goes on with the next connection. */
  public ObjectStore reading(FileData file) throws IOException {
    return new FollowingReads(share.value(), file, share.value().current().dataStores().of(file));
  }

  /**
   * Returns one more share in the same mount. Costs nothing.
   *
   * @throws IOException if this one is closed
   */
  public SharedMount another() throws IOException {
    return new SharedMount(share.another());
  }

  /** Releases the share; the last release closes the mount. */
  @Override
  public void close() throws IOException {
    share.close();
  }
}
