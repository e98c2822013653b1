// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the bytes of one read arrive, and the part of the streams' memory that they take.
 *
 * <p>librados writes straight into buffers that are direct. For others the bytes arrive in a buffer
 * of the pool, which is used again and again: memory that is new to each read costs as much
 * processor time as a copy of the bytes, as the kernel clears it first.
 *
 * <p>Not thread-safe: its owner hands it over with a happens-before edge.
 */
final class ReadMemory implements AutoCloseable {

  private final List<StripeReader.Part> wanted;
  private final List<StripeReader.Part> parts;
  private final Runnable release;

  private ReadMemory(
      List<StripeReader.Part> wanted, List<StripeReader.Part> parts, Runnable release) {
    this.wanted = wanted;
    this.parts = parts;
    this.release = release;
  }

  /**
   * Takes memory for a read of these parts. Never waits. Where the pool has no buffer to give, and
   * beyond its budget, librados has the bytes in memory of its own and copies them: a buffer that
   * can be done without is not worth the half second in which the JVM looks for direct memory.
   *
   * @param wanted into buffers of any kind; one operation's, and so at most {@link
   *     StripeReader#MOST} bytes
   * @param beyondBudget whether it is taken even if the pool's budget is used up
   * @return empty if the budget would be exceeded
   */
  static Optional<ReadMemory> of(
      List<StripeReader.Part> wanted, BufferPool pool, boolean beyondBudget) {
    int bytes = wanted.stream().mapToInt(part -> part.into().remaining()).sum();
    if (wanted.stream().allMatch(part -> part.into().isDirect())) {
      return inPlace(wanted, bytes, pool, beyondBudget);
    }
    return pool.tryAcquire(bytes)
        .map(taken -> new ReadMemory(wanted, within(taken.buffer(), wanted), taken::close))
        .or(() -> inPlace(wanted, BufferPool.rounded(bytes), pool, beyondBudget));
  }

  /** librados holds the bytes, until it has them all, or has copied them. */
  private static Optional<ReadMemory> inPlace(
      List<StripeReader.Part> wanted, int bytes, BufferPool pool, boolean beyondBudget) {
    return (beyondBudget ? Optional.of(pool.reserve(bytes)) : pool.tryReserve(bytes))
        .map(room -> new ReadMemory(wanted, wanted, room::close));
  }

  private static List<StripeReader.Part> within(ByteBuffer buffer, List<StripeReader.Part> wanted) {
    List<StripeReader.Part> parts = new ArrayList<>(wanted.size());
    int begin = 0;
    for (StripeReader.Part part : wanted) {
      int size = part.into().remaining();
      parts.add(new StripeReader.Part(part.position(), buffer.slice(begin, size)));
      begin += size;
    }
    return parts;
  }

  /** What is to be read instead of what is wanted. */
  List<StripeReader.Part> parts() {
    return parts;
  }

  /** The parts were read: copies them to where they are wanted, unless they are there. */
  void deliver() {
    if (parts != wanted) {
      for (int i = 0; i < parts.size(); i++) {
        ByteBuffer into = wanted.get(i).into();
        into.put(into.position(), parts.get(i).into(), 0, into.remaining());
      }
    }
  }

  /**
   * Nothing is read into the parts any more. Memory that is dropped unclosed is not used again, and
   * counts until the garbage collector finds it.
   */
  @Override
  public void close() {
    release.run();
  }
}
