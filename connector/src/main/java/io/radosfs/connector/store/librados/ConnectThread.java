// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Connects in a thread with a larger stack. Loading librados takes more than half a MiB of stack
 * (the initialiser of Ceph's table of options has a frame of that size), and Java gives a thread 1
 * MiB. Below a deep call, such as those of Spark's analyser, the process would end with a
 * segmentation fault and no message.
 */
final class ConnectThread {

  private static final long STACK_BYTES = 16L << 20;

  private final Connector connector;
  private final CompletableFuture<ClusterHandle> connected = new CompletableFuture<>();

  private ConnectThread(Connector connector) {
    this.connector = connector;
  }

  /**
   * Calls {@link Connector#connect}, which is bounded by the connect timeout. If the wait is
   * interrupted, a handle that is connected later is shut down.
   */
  static ClusterHandle connect(Connector connector) throws IOException {
    ConnectThread connecting = new ConnectThread(connector);
    Thread thread = new Thread(null, connecting::run, "radosfs-connect", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    return connecting.await();
  }

  private void run() {
    try {
      ClusterHandle handle = connector.connect();
      if (!connected.complete(handle)) {
        handle.shutDown();
      }
    } catch (IOException | RuntimeException | Error e) {
      connected.completeExceptionally(e);
    }
  }

  private ClusterHandle await() throws IOException {
    try {
      return connected.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (!connected.cancel(false) && !connected.isCompletedExceptionally()) {
        connected.join().shutDown();
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
