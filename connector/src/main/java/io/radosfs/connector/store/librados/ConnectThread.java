// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * Connects in a thread with a larger stack. Loading librados takes more than half a MiB of stack
 * (the initialiser of Ceph's table of options has a frame of that size), and Java gives a thread 1
 * MiB. Below a deep call, such as those of Spark's analyser, the process would end with a
 * segmentation fault and no message.
 */
final class ConnectThread<T> {

  private static final long STACK_BYTES = 16L << 20;

  /** What is done in the thread. */
  private final CallableRaisingIOE<T> work;

  /** Takes back a result that nobody waits for any more. */
  private final Consumer<T> undo;

  private final CompletableFuture<T> result = new CompletableFuture<>();

  private ConnectThread(CallableRaisingIOE<T> work, Consumer<T> undo) {
    this.work = work;
    this.undo = undo;
  }

  /**
   * Calls {@link Connector#connect}, which is bounded by the connect timeout. If the wait is
   * interrupted, a handle that is connected later is shut down.
   */
  static ClusterHandle connect(Connector connector) throws IOException {
    return new ConnectThread<>(connector::connect, ClusterHandle::shutDown).runAndWait();
  }

  /** Calls {@link Connector#find}, which may be the first to load librados. */
  static String find(LocalNeed need, Connector connector) throws IOException {
    return new ConnectThread<>(() -> connector.find(need), found -> {}).runAndWait();
  }

  private T runAndWait() throws IOException {
    Thread thread = new Thread(null, this::run, "radosfs-connect", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    return await();
  }

  private void run() {
    try {
      T made = work.apply();
      if (!result.complete(made)) {
        undo.accept(made);
      }
    } catch (IOException | RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private T await() throws IOException {
    try {
      return result.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (!result.cancel(false) && !result.isCompletedExceptionally()) {
        undo.accept(result.join());
      }
      throw (IOException)
          new InterruptedIOException("interrupted while connecting to Ceph").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("cannot connect to Ceph: " + e.getCause(), e.getCause());
    }
  }
}
