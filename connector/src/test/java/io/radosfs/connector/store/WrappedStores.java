// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/** A cluster that puts something in front of each store that another one opens. */
public final class WrappedStores {

  private WrappedStores() {}

  public static Cluster of(Cluster cluster, FunctionRaisingIOE<ObjectStore, ObjectStore> wrapper) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(cluster, arguments);
                return answer instanceof ObjectStore store ? wrapper.apply(store) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
