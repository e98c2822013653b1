// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class WindowedLoadTest {

  private static final int BYTES = 10;
  private static final int OBJECTS = 7;
  private static final int DEPTH = 3;
  private static final byte[] CONTENT = {1, 2, 3, 4};

  /** Ends the operation that began last, so that none is in the order of its begin. */
  private static final class LastFirst implements AsyncObjects {
    private final Map<String, byte[]> stored = new TreeMap<>();
    private final List<Integer> slots = new ArrayList<>();
    private final Map<Integer, Runnable> reads = new HashMap<>();
    private final Map<String, Integer> failing = new HashMap<>();
    private final Map<Integer, Integer> answers = new HashMap<>();
    private int most;

    private void enter(int slot, int answer) {
      assertThat(slots).doesNotContain(slot);
      slots.add(slot);
      answers.put(slot, answer);
      most = Math.max(most, slots.size());
    }

    @Override
    public int write(int slot, String object, ByteBuffer from) {
      byte[] bytes = new byte[from.capacity()];
      from.duplicate().clear().get(bytes);
      stored.put(object, bytes);
      enter(slot, failing.getOrDefault(object, 0));
      return 0;
    }

    @Override
    public int read(int slot, String object, ByteBuffer into) {
      byte[] bytes = stored.get(object);
      if (bytes == null) {
        return -2;
      }
      reads.put(slot, () -> into.duplicate().clear().put(bytes));
      enter(slot, failing.getOrDefault(object, bytes.length));
      return 0;
    }

    @Override
    public Ended awaitAny() {
      int slot = slots.remove(slots.size() - 1);
      // Only now are there bytes in the buffer.
      reads.getOrDefault(slot, () -> {}).run();
      return new Ended(slot, answers.get(slot));
    }

    @Override
    public int remove(String object) {
      return stored.remove(object) == null ? -2 : 0;
    }
  }

  private final LastFirst objects = new LastFirst();
  private final WindowedLoad load = new WindowedLoad(objects, BYTES, OBJECTS);

  @Test
  void allAreWrittenAndReadWithNoMoreUnderWayThanTold() throws IOException {
    load.write(DEPTH, ByteWork.copyIn(CONTENT));
    load.read(DEPTH, ByteWork.verify(CONTENT));

    assertThat(objects.stored)
        .hasSize(OBJECTS)
        .allSatisfy(
            (name, bytes) -> assertThat(bytes).containsExactly(1, 2, 3, 4, 1, 2, 3, 4, 1, 2));
    assertThat(objects.most).isEqualTo(DEPTH);
    assertThat(objects.slots).isEmpty();
  }

  @Test
  void moreSlotsThanObjectsAreNoneTooMany() throws IOException {
    load.write(2 * OBJECTS, ByteWork.NONE);

    assertThat(objects.most).isEqualTo(OBJECTS);
  }

  @Test
  void eachBufferIsLookedAtOnceItsReadHasEnded() throws IOException {
    load.write(DEPTH, ByteWork.copyIn(CONTENT));
    byte[] chunk = new byte[CONTENT.length];
    List<Integer> seen = new ArrayList<>();

    load.read(
        DEPTH,
        object -> {
          ByteWork.copyOut(chunk).of(object);
          seen.add((int) chunk[0]);
        });

    // The last two of ten bytes are 1 and 2.
    assertThat(seen).hasSize(OBJECTS).containsOnly(1);
  }

  @Test
  void otherBytesThanWrittenAreNoticedAndNothingStaysUnderWay() throws IOException {
    load.write(DEPTH, ByteWork.copyIn(CONTENT));
    objects.stored.values().iterator().next()[BYTES - 1]++;

    assertThatThrownBy(() -> load.read(DEPTH, ByteWork.verify(CONTENT)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other bytes");
    assertThat(objects.slots).isEmpty();
  }

  @Test
  void aWriteThatFailsEndsTheLoadAndNothingStaysUnderWay() {
    objects.failing.put("radosfs-ceiling-4", -28);

    assertThatThrownBy(() -> load.write(DEPTH, ByteWork.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("librados answered -28, not 0");
    assertThat(objects.slots).isEmpty();
  }

  @Test
  void aReadThatIsShortOrDoesNotBeginEndsTheLoad() throws IOException {
    load.write(DEPTH, ByteWork.NONE);
    objects.failing.put("radosfs-ceiling-5", BYTES - 1);
    assertThatThrownBy(() -> load.read(DEPTH, ByteWork.NONE)).hasMessageContaining("answered 9");

    objects.failing.clear();
    objects.stored.remove("radosfs-ceiling-6");
    assertThatThrownBy(() -> load.read(DEPTH, ByteWork.NONE))
        .hasMessageContaining("radosfs-ceiling-6 was not begun: librados answered -2");
    assertThat(objects.slots).isEmpty();
  }

  @Test
  void allAreRemoved() throws IOException {
    load.write(DEPTH, ByteWork.NONE);
    load.remove();

    assertThat(objects.stored).isEmpty();
    assertThatThrownBy(load::remove).hasMessageContaining("radosfs-ceiling-0 was not removed");
  }
}
