// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.LibradosConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Connects to a real cluster, and lets a test do something at the writes of the process: named by
 * {@code fs.rados.cluster.factory}.
 */
public final class HookedConnections implements ClusterFactory {

  /** A write operation on an object, which takes place when it is told to go. */
  public interface Write {
    Object go() throws Throwable;

    String object();
  }

  /** What is done in place of each write. */
  public interface Hook {
    Object instead(Write write) throws Throwable;
  }

  private static final AtomicReference<Hook> HOOK = new AtomicReference<>(Write::go);
  private static final Set<Cluster> OPEN = ConcurrentHashMap.newKeySet();

  /** From now on, in this process. */
  public static void hook(Hook hook) {
    HOOK.set(hook);
  }

  public static void unhook() {
    HOOK.set(Write::go);
  }

  /**
   * Closes all connections of the process, also of file systems that nobody closes: before their
   * cluster goes away, for which they would go on asking.
   */
  public static void closeAll() throws IOException {
    for (Cluster cluster : List.copyOf(OPEN)) {
      cluster.close();
    }
  }

  @Override
  public Cluster connect(Settings settings) throws IOException {
    Cluster hooked = hooked(new LibradosConnections().connect(settings));
    OPEN.add(hooked);
    return hooked;
  }

  private static Cluster hooked(Cluster cluster) {
    return new Cluster() {
      @Override
      public ObjectStore open(String pool, String namespace) throws IOException {
        return hooked(cluster.open(pool, namespace));
      }

      @Override
      public boolean isBlocklisted() {
        return cluster.isBlocklisted();
      }

      @Override
      public String address() throws IOException {
        return cluster.address();
      }

      @Override
      public ClusterStatus status() throws IOException {
        return cluster.status();
      }

      @Override
      public String fsid() throws IOException {
        return cluster.fsid();
      }

      @Override
      public void close() throws IOException {
        OPEN.remove(this);
        cluster.close();
      }
    };
  }

  private static ObjectStore hooked(ObjectStore store) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            HookedConnections.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              Write call =
                  new Write() {
                    @Override
                    public Object go() throws Throwable {
                      try {
                        return method.invoke(store, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    }

                    @Override
                    public String object() {
                      return (String) arguments[0];
                    }
                  };
              return method.getName().startsWith("write") ? HOOK.get().instead(call) : call.go();
            });
  }
}
