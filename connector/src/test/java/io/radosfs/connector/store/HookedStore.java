// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store that lets a test do something before an operation. */
public final class HookedStore {

  /** What is done before a blocking read or write. */
  @FunctionalInterface
  public interface Hook {
    void before(boolean write, String object) throws Exception;
  }

  private HookedStore() {}

  public static ObjectStore of(ObjectStore store, Hook hook) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            HookedStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if (name.equals("write") || name.equals("read")) {
                hook.before(name.equals("write"), (String) arguments[0]);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
