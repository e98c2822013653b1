package io.radosfs.integration.spark;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.LibradosConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.integration.tables.Program;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connects to a real cluster. From when it is armed it lets so many writes pass, tells whoever
 * started the process, and stands still before the next one, for the process to be killed there.
 */
public final class StoppingConnections implements ClusterFactory {

  /** Told to who started the process. */
  static final String STOPPED = "stopped";

  /** Writes that still pass; below zero when it is not armed. */
  private static final AtomicInteger LEFT = new AtomicInteger(-1);

  static void arm(int writes) {
    LEFT.set(writes);
  }

  static void disarm() {
    LEFT.set(-1);
  }

  @Override
  public Cluster connect(Settings settings) throws IOException {
    Cluster cluster = new LibradosConnections().connect(settings);
    return new Cluster() {
      @Override
      public ObjectStore open(String pool, String namespace) throws IOException {
        return stopping(cluster.open(pool, namespace));
      }

      @Override
      public String fsid() throws IOException {
        return cluster.fsid();
      }

      @Override
      public void close() throws IOException {
        cluster.close();
      }
    };
  }

  private static ObjectStore stopping(ObjectStore store) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            StoppingConnections.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("write")) {
                beforeWrite();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("SystemOut") // the test reads it
  private static void beforeWrite() throws InterruptedException {
    int left = LEFT.getAndUpdate(n -> n < 0 ? n : Math.max(0, n - 1));
    if (left == 0) {
      System.out.println(Program.ANSWER + STOPPED);
      new CountDownLatch(1).await();
    }
  }
}
