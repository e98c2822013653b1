// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import io.radosfs.bench.ceiling.AsyncObjects.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes and reads objects of one size, so many at a time: whenever one has ended, whichever it is,
 * the next begins. When a call returns or throws, nothing of it is under way.
 */
public final class WindowedLoad {

  private static final String PREFIX = "radosfs-ceiling-";

  private final AsyncObjects objects;
  private final int objectBytes;
  private final int count;

  /**
   * Of so many objects, which are the same for all calls.
   *
   * @param objectBytes of each
   */
  public WindowedLoad(AsyncObjects objects, int objectBytes, int count) {
    this.objects = objects;
    this.objectBytes = objectBytes;
    this.count = count;
  }

  /**
   * Writes them from one buffer, as librados has a copy of its own when {@code rados_aio_write}
   * returns.
   *
   * @param depth operations under way at a time
   * @param before is done with the buffer before each is written
   * @return seconds from the first call to the last answer
   */
  public double write(int depth, ByteWork before) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(objectBytes);
    Run run = new Run(depth, 0);
    return run.all(
        (slot, object) -> {
          before.of(buffer);
          return objects.write(slot, object, buffer);
        },
        slot -> {});
  }

  /**
   * Reads them, each into one of as many buffers as there are operations under way.
   *
   * @param depth operations under way at a time
   * @param after is done with a buffer after each is read
   * @return seconds from the first call to the last answer
   */
  public double read(int depth, ByteWork after) throws IOException {
    ByteBuffer[] buffers = new ByteBuffer[depth];
    for (int slot = 0; slot < depth; slot++) {
      buffers[slot] = ByteBuffer.allocateDirect(objectBytes);
    }
    Run run = new Run(depth, objectBytes);
    return run.all(
        (slot, object) -> objects.read(slot, object, buffers[slot]),
        slot -> after.of(buffers[slot]));
  }

  /** Removes them. */
  public void remove() throws IOException {
    for (int number = 0; number < count; number++) {
      check(objects.remove(name(number)), 0, name(number) + " was not removed");
    }
  }

  private static String name(int number) {
    return PREFIX + number;
  }

  private static void check(int result, int expected, String what) throws IOException {
    if (result != expected) {
      throw new IOException(what + ": librados answered " + result + ", not " + expected);
    }
  }

  /** Begins the operation of a slot. */
  private interface Begin {
    int operation(int slot, String object) throws IOException;
  }

  /** Is told that the operation of a slot has succeeded. */
  private interface End {
    void of(int slot) throws IOException;
  }

  /** One time through all objects. */
  private final class Run {

    private final Deque<Integer> free = new ArrayDeque<>();
    private final int depth;
    private final int expected;

    /**
     * Nothing is under way yet.
     *
     * @param expected what each operation is to be answered
     */
    Run(int depth, int expected) {
      this.depth = depth;
      this.expected = expected;
      for (int slot = 0; slot < depth; slot++) {
        free.add(slot);
      }
    }

    double all(Begin begin, End end) throws IOException {
      long started = System.nanoTime();
      try {
        for (int number = 0; number < count; number++) {
          if (free.isEmpty()) {
            await(end);
          }
          int slot = free.remove();
          boolean begun = false;
          try {
            check(begin.operation(slot, name(number)), 0, name(number) + " was not begun");
            begun = true;
          } finally {
            if (!begun) {
              free.add(slot);
            }
          }
        }
        while (free.size() < depth) {
          await(end);
        }
      } finally {
        // Only after a failure: its exception is the one to tell.
        while (free.size() < depth) {
          free.add(objects.awaitAny().slot());
        }
      }
      return (System.nanoTime() - started) / 1e9;
    }

    private void await(End end) throws IOException {
      Ended ended = objects.awaitAny();
      free.add(ended.slot());
      check(ended.result(), expected, "an operation failed");
      end.of(ended.slot());
    }
  }
}
