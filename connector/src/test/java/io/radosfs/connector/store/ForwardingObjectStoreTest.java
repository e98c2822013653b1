// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ForwardingObjectStoreTest {

  private static final Map<Class<?>, Object> ARGUMENTS =
      Map.of(
          String.class,
          "object",
          WriteOp.class,
          WriteOp.builder().assertExists().build(),
          ReadOp.class,
          ReadOp.builder().size().build(),
          CompletableFuture.class,
          new CompletableFuture<>(),
          ObjectStore.NameReader.class,
          (ObjectStore.NameReader) name -> {});

  private final List<List<Object>> calls = new ArrayList<>();
  private final ObjectStore other =
      (ObjectStore)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ObjectStore.class},
              (proxy, method, arguments) -> {
                List<Object> call = new ArrayList<>(List.of(method));
                call.addAll(arguments == null ? List.of() : Arrays.asList(arguments));
                calls.add(call);
                return null;
              });

  /** Also those that have a default: the other store's own is meant. */
  @Test
  void passesEveryMethodOnAsItIs() throws Exception {
    ObjectStore forwarding = new ForwardingObjectStore(other) {};
    for (Method method : ObjectStore.class.getMethods()) {
      Object[] arguments = Arrays.stream(method.getParameterTypes()).map(ARGUMENTS::get).toArray();
      calls.clear();
      Object unused = method.invoke(forwarding, arguments);
      List<Object> expected = new ArrayList<>(List.of(method));
      expected.addAll(Arrays.asList(arguments));
      assertThat(calls).as(method.toString()).containsExactly(expected);
    }
  }

  /** Nobody else ends it: the wait for an operation has no bound of its own. */
  @Test
  void anOperationEndsThoughItsOutcomeCannotBeLookedAt() {
    OutOfMemoryError none = new OutOfMemoryError("Java heap space");
    CompletableFuture<Integer> answered =
        ForwardingObjectStore.lookedAt(
            CompletableFuture.completedFuture(1),
            answer -> {
              throw none;
            },
            failure -> failure);
    assertThat(answered).isDone();
    assertThatThrownBy(answered::join).hasCause(none);
    StoreException denied = new StoreException(StoreException.Kind.PERMISSION_DENIED, "o", "no");
    CompletableFuture<Integer> failed =
        ForwardingObjectStore.lookedAt(
            CompletableFuture.failedFuture(denied),
            answer -> {},
            failure -> {
              throw none;
            });
    assertThat(failed).isDone();
    assertThatThrownBy(failed::join).hasCause(denied);
  }

  /** So that an operation that is new is not forgotten where each is counted. */
  @Test
  void everyOperationIsCounted() throws Exception {
    for (Method method : ObjectStore.class.getMethods()) {
      List<Class<?>> parameters = List.of(method.getParameterTypes());
      if (parameters.contains(WriteOp.class) || parameters.contains(ReadOp.class)) {
        assertThat(
                CountingObjectStore.class
                    .getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass())
            .as(method.toString())
            .isEqualTo(CountingObjectStore.class);
      }
    }
  }
}
