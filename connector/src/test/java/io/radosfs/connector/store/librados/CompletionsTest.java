// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CompletionsTest {

  private static final long NONE = -1;

  /** What librados does in a thread of its own, here for no operation. */
  private static void callBack() {
    Function.getFunction(new Pointer(Completions.function())).invokeVoid(new Object[] {0L, NONE});
  }

  /** JNA attaches a thread of librados to the JVM with this group. */
  private static ThreadGroup groupOfCallbacks() {
    ThreadGroup[] groups = new ThreadGroup[100];
    int count = Thread.currentThread().getThreadGroup().enumerate(groups);
    for (int i = 0; i < count; i++) {
      if (groups[i].getName().equals("librados callbacks")) {
        return groups[i];
      }
    }
    throw new AssertionError("no such group");
  }

  /**
   * As the error for a blocking call in a callback advises: a dependent of a RADOS future runs
   * elsewhere. The thread for it may be made there and then, and then has the callback's group.
   */
  @Test
  void aThreadThatACallbackHasMadeMayBlock() throws Exception {
    long unused = Completions.function();
    AtomicReference<Boolean> itself = new AtomicReference<>();
    CompletableFuture<Boolean> elsewhere = new CompletableFuture<>();
    Thread callback =
        new Thread(
            groupOfCallbacks(),
            () -> {
              callBack();
              itself.set(Completions.inCallback());
              new Thread(() -> elsewhere.complete(Completions.inCallback())).start();
            });
    callback.start();
    callback.join();
    assertThat(itself).hasValue(true);
    assertThat(elsewhere.get()).isFalse();
    assertThat(Completions.inCallback()).isFalse();
  }
}
