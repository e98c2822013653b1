// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.metrics.ProcessMetrics;
import java.util.concurrent.atomic.AtomicReference;

/** The one pool of stream buffers of the process, so that one budget limits them all. */
final class SharedBuffers {

  private static final AtomicReference<BufferPool> POOL = new AtomicReference<>();

  private SharedBuffers() {}

  /** Returns the pool, whose budget is that of the first call. */
  static BufferPool get(long budget) {
    BufferPool pool = POOL.get();
    if (pool == null) {
      if (POOL.compareAndSet(null, new BufferPool(budget))) {
        ProcessMetrics.get().useBuffers(POOL.get());
      }
      pool = POOL.get();
    }
    return pool;
  }
}
