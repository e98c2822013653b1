// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.exceptions.RadosException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The newest map of the cluster, which a client needs only for a pool that its own map does not
 * have: one that was made after it connected, or a wrong name.
 *
 * <p>librados waits for it by itself ({@code rados_ioctx_create}), and as long as no monitor
 * answers, without bound or interrupt. Here it waits in a thread of its own ({@code
 * rados_wait_for_latest_osdmap}), one for all who want it meanwhile.
 */
final class NewestMap {

  private final ClusterHandle handle;
  private final Duration bound;
  private CompletableFuture<Integer> underWay = CompletableFuture.completedFuture(0);

  NewestMap(ClusterHandle handle, Duration bound) {
    this.handle = handle;
    this.bound = bound;
  }

  /**
   * Asks for it, unless the pool is in the map that there is ({@code rados_pool_list}).
   *
   * @return librados' return value
   */
  synchronized CompletableFuture<Integer> wanted(String pool) throws RadosException {
    if (handle.map().pools().contains(pool)) {
      return CompletableFuture.completedFuture(0);
    }
    if (underWay.isDone()) {
      long cluster = handle.pointer(); // now: once the handle is abandoned, it has none
      underWay =
          CompletableFuture.supplyAsync(
              () -> LibRados.rados_wait_for_latest_osdmap(cluster), NewestMap::inItsOwnThread);
    }
    return underWay;
  }

  private static void inItsOwnThread(Runnable work) {
    Thread thread = new Thread(work, "radosfs-newest-map");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether nothing uses the handle for this: only then it may be shut down. */
  synchronized boolean isIdle() {
    return underWay.isDone();
  }

  /**
   * Waits for what {@link #wanted} has answered.
   *
   * @throws StoreException TIMED_OUT if it was not there in time
   */
  void await(CompletableFuture<Integer> wanted, String pool) throws IOException {
    String operation = "looking for pool " + pool + " in the monitors' newest map";
    StoreExceptions exceptions = new StoreExceptions("", "");
    try {
      int result = wanted.get(bound.toNanos(), TimeUnit.NANOSECONDS);
      if (result < 0) {
        throw exceptions.read(result, "", operation);
      }
    } catch (TimeoutException e) {
      throw exceptions.timedOut("", operation, StoreExceptions.noAnswer(bound));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted " + operation).initCause(e);
    } catch (ExecutionException e) {
      throw new StoreException(Kind.OTHER, "", operation + ": " + e.getCause(), e.getCause());
    }
  }
}
