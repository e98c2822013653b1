// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;

/** Watches a store: how many bytes of omap the largest answer to one read has. */
public final class LargestAnswer {

  private final AtomicLong bytes = new AtomicLong();

  public long bytes() {
    return bytes.get();
  }

  /** Returns the same store, watched. */
  public ObjectStore watch(ObjectStore store) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(store, arguments);
                if (answer instanceof ReadResult read) {
                  bytes.accumulateAndGet(omap(read), Math::max);
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static long omap(ReadResult read) {
    return read.steps().stream()
        .filter(ReadResult.Omap.class::isInstance)
        .mapToLong(step -> ((ReadResult.Omap) step).entries().length())
        .sum();
  }
}
