// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferPoolTest {

  private static final int UNIT = BufferPool.SMALLEST;

  @Test
  void acquireOverdrawsAndTryAcquireDoesNot() {
    BufferPool pool = new BufferPool(2 * UNIT);
    BufferPool.Lease first = pool.tryAcquire(1).orElseThrow();
    BufferPool.Lease second = pool.tryAcquire(UNIT).orElseThrow();
    assertThat(pool.tryAcquire(1)).isEmpty();
    BufferPool.Lease overdraft = pool.acquire(1);
    assertThat(pool.inUse()).isEqualTo(3 * UNIT);

    overdraft.close();
    assertThat(pool.kept()).as("kept beyond the budget").isZero();
    first.close();
    second.close();
    assertThat(pool.inUse()).isZero();
    assertThat(pool.kept()).isEqualTo(2 * UNIT);
  }

  /** The JVM's bound of direct memory is that of its heap, unless it is set. */
  @Test
  void whereTheJvmHasNoMemoryLeftItIsAsIfTheBudgetWasUsedUp() {
    int[] left = {2 * UNIT};
    int[] refused = {0};
    BufferPool pool =
        new BufferPool(
            100L * UNIT,
            capacity -> {
              if (capacity > left[0]) {
                refused[0]++;
                throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
              }
              left[0] -= capacity;
              return ByteBuffer.allocateDirect(capacity);
            });
    BufferPool.Lease kept = pool.acquire(UNIT);
    BufferPool.Lease held = pool.acquire(UNIT);
    assertThat(pool.tryAcquire(UNIT)).isEmpty();
    assertThat(pool.tryAcquire(UNIT)).isEmpty();
    assertThat(refused[0]).as("each takes half a second and a garbage collection").isEqualTo(1);
    assertThat(pool.inUse()).isEqualTo(2 * UNIT);
    assertThatThrownBy(() -> pool.acquire(UNIT)).isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.inUse()).isEqualTo(2 * UNIT);

    kept.close();
    assertThat(pool.kept()).isEqualTo(UNIT);
    assertThatThrownBy(() -> pool.acquire(2 * UNIT)).isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.kept()).as("dropped to make room").isZero();
    assertThat(pool.inUse()).isEqualTo(UNIT);

    left[0] = 10 * UNIT;
    BufferPool.Lease needed = pool.acquire(2 * UNIT);
    needed.close();
    assertThat(pool.tryAcquire(UNIT)).as("there is memory again").isPresent();
    held.close();
  }

  @Test
  void aBufferIsReusedAndComesBackCleared() {
    BufferPool pool = new BufferPool(UNIT);
    BufferPool.Lease lease = pool.acquire(100);
    ByteBuffer buffer = lease.buffer();
    assertThat(buffer.isDirect()).isTrue();
    buffer.putLong(1).limit(8);
    lease.close();
    try (BufferPool.Lease again = pool.acquire(200)) {
      assertThat(again.buffer()).isSameAs(buffer);
      assertThat(buffer.remaining()).isEqualTo(UNIT);
    }
  }

  @Test
  void aLeaseIsGivenBackOnce() {
    BufferPool pool = new BufferPool(4 * UNIT);
    BufferPool.Lease lease = pool.acquire(1);
    try (BufferPool.Lease other = pool.acquire(1)) {
      lease.close();
      lease.close();
      assertThat(pool.inUse()).isEqualTo(UNIT);
      assertThatThrownBy(lease::buffer).isInstanceOf(IllegalStateException.class);
      assertThat(other.buffer().capacity()).isEqualTo(UNIT);
    }
  }

  @Test
  void sizesAreFewAndLargeOnesDoNotWasteMuch() {
    BufferPool pool = new BufferPool(1L << 30);
    assertThat(capacity(pool, 1)).isEqualTo(64 << 10);
    assertThat(capacity(pool, (64 << 10) + 1)).isEqualTo(128 << 10);
    assertThat(capacity(pool, 1 << 20)).isEqualTo(1 << 20);
    assertThat(capacity(pool, 4 << 20)).isEqualTo(4 << 20);
    assertThat(capacity(pool, (4 << 20) + 1)).isEqualTo(5 << 20);
  }

  @Test
  void keptBuffersMakeRoomForOthers() {
    BufferPool pool = new BufferPool(4 * UNIT);
    pool.acquire(4 * UNIT).close();
    assertThat(pool.kept()).isEqualTo(4 * UNIT);
    try (BufferPool.Lease small = pool.tryAcquire(UNIT).orElseThrow()) {
      assertThat(pool.kept()).as("beside %s", small.buffer()).isZero();
    }
  }

  /** By a stream that nobody closes. */
  @Test
  void whatIsDroppedIsNotInUseForEver() throws InterruptedException {
    BufferPool pool = new BufferPool(4 * UNIT);
    List<AutoCloseable> held = new ArrayList<>(List.of(pool.acquire(UNIT), pool.reserve(UNIT)));
    System.gc();
    assertThat(pool.inUse()).as("held: %s", held).isEqualTo(2 * UNIT);
    held.clear();
    for (int i = 0; pool.inUse() > 0; i++) {
      assertThat(i).as("collections without effect").isLessThan(1000);
      System.gc();
      Thread.sleep(10);
    }
    assertThat(pool.kept()).as("librados may still have it").isZero();
  }

  private static int capacity(BufferPool pool, int asked) {
    try (BufferPool.Lease lease = pool.acquire(asked)) {
      return lease.buffer().capacity();
    }
  }
}
