// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WrappedStores;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Connects to a simulation whose OSDs may fall silent: from an operation on, none is answered, and
 * each waits in full, by a clock that only such waiting moves. For programs of one thread.
 */
public final class SilentConnections implements ClusterFactory {

  /** How long an operation waits. */
  public static final long BOUND = 100;

  private static final int NEVER = Integer.MAX_VALUE;

  private static int operations;
  private static int silentFrom = NEVER;
  private static boolean writesAlone;
  private static long now;
  private static final Map<String, Long> ENDS = new HashMap<>();

  /**
   * From the so many-th operation from now on, none is answered.
   *
   * @param writes whether reads still are, but for those that come after writes
   */
  public static void fallSilent(int operation, boolean writes) {
    operations = 0;
    silentFrom = operation;
    writesAlone = writes;
    now = 0;
    ENDS.clear();
  }

  /** Everything is answered again. */
  public static void speak() {
    fallSilent(NEVER, false);
  }

  /** Whether some operation was not answered. */
  public static boolean wasSilent() {
    return waited() > 0;
  }

  /** How long all that was not answered has waited: what was under way together, once. */
  public static long waited() {
    return Math.max(now, ENDS.values().stream().mapToLong(end -> end).max().orElse(0));
  }

  @Override
  public Cluster connect(Settings settings) throws IOException {
    return WrappedStores.of(
        new SimulatedConnections().connect(settings), SilentConnections::silent);
  }

  private static ObjectStore silent(ObjectStore store) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              boolean write = name.startsWith("write");
              boolean operates = write || name.startsWith("read");
              if (operates && ++operations >= silentFrom && (write || isDeaf(arguments[1]))) {
                return unanswered(name, (String) arguments[0], arguments[1]);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static boolean isDeaf(Object read) {
    return !writesAlone || ((ReadOp) read).afterWrites();
  }

  private static Object unanswered(String method, String object, Object op) throws IOException {
    Kind kind = method.startsWith("write") ? Kind.OUTCOME_UNKNOWN : Kind.TIMED_OUT;
    StoreException failure =
        new StoreException(kind, object, "no answer to " + op).afterWaitingInFull();
    if (method.endsWith("Async")) {
      ENDS.merge(object, now + BOUND, (before, first) -> Math.max(before, now) + BOUND);
      return CompletableFuture.failedFuture(failure);
    }
    now = waited() + (op instanceof ReadOp read && read.afterWrites() ? BOUND / 4 : BOUND);
    throw failure;
  }
}
