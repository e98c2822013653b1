package io.radosfs.connector.mount;

import io.radosfs.connector.config.Settings;
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

  private static final Sharing<Request, Mount> SHARED =
      new Sharing<>(request -> Mount.open(request.key().authority(), request.conf()));

  private final Sharing<Request, Mount>.Share share;

  private SharedMount(Sharing<Request, Mount>.Share share) {
    this.share = share;
  }

  /** As {@link Mount#open}, unless it is open already. */
  public static SharedMount acquire(Authority authority, Configuration conf) throws IOException {
    Key key = new Key(authority, new Settings(conf, authority.pool()).values());
    return new SharedMount(SHARED.acquire(new Request(key, conf)));
  }

  public Mount mount() {
    return share.value();
  }

  /** Lets go of it; the last one closes it. */
  @Override
  public void close() throws IOException {
    share.close();
  }
}
