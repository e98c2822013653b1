// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Operations put together by chance from few names and values, so that guards hold about as often
 * as they fail; and what came of them as text, to compare two stores by.
 */
final class RandomOps {

  private static final List<String> OBJECTS = List.of("o1", "o2", "o3");
  private static final List<String> KEYS = List.of("a", "e/1", "e/2", "e/\ud83d\ude00", "e/\ufffd");
  private static final List<String> XATTRS = List.of("x", "y");
  private static final List<String> VALUES = List.of("1", "2");

  private final Random random;

  RandomOps(long seed) {
    random = new Random(seed);
  }

  String object() {
    return pick(OBJECTS);
  }

  boolean nextIsRead() {
    return random.nextInt(3) == 0;
  }

  /**
   * Creation, guards, then changes: a guard after a change of the same key is never meant, nor are
   * two removals (Ceph 16.2 answers remove, create, remove with success and removes nothing).
   */
  WriteOp write() {
    WriteOp.Builder op = WriteOp.builder();
    if (random.nextInt(8) == 0) {
      op.hintWrittenOnce(1 + random.nextInt(60));
    }
    switch (random.nextInt(6)) {
      case 0 -> op.createExclusive();
      case 1, 2 -> op.createIfMissing();
      case 3 -> op.assertExists();
      default -> {}
    }
    for (int guards = random.nextInt(3); guards > 0; guards--) {
      switch (random.nextInt(4)) {
        case 0 -> op.compareOmap(pick(KEYS), value());
        case 1 -> op.compareXattr(pick(XATTRS), value());
        default -> op.absentOmap(pick(KEYS));
      }
    }
    boolean removed = false;
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      switch (random.nextInt(removed ? 9 : 10)) {
        case 0, 1, 2 -> op.setOmap(entries());
        case 3 -> op.removeOmap(new HashSet<>(List.of(pick(KEYS), pick(KEYS))));
        case 4, 5 -> op.setXattr(pick(XATTRS), value());
        case 6, 7 -> op.writeFull(data());
        case 8 -> op.hintWrittenOnce(1 + random.nextInt(60));
        default -> {
          op.remove();
          removed = true;
        }
      }
    }
    return op.build();
  }

  ReadOp read() {
    ReadOp.Builder op = ReadOp.builder();
    if (random.nextInt(3) == 0) {
      op.compareXattr(pick(XATTRS), value());
    }
    for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
      switch (random.nextInt(6)) {
        case 0 -> op.size();
        case 4 -> op.crc32c();
        case 1 -> op.xattr(pick(XATTRS));
        case 2 -> op.omapByKeys(new HashSet<>(List.of(pick(KEYS), pick(KEYS))));
        case 3 -> {
          String prefix = random.nextBoolean() ? "" : "e/";
          op.omapRange(random.nextBoolean() ? "" : pick(KEYS), prefix, 1 + random.nextInt(5));
        }
        default -> op.data(random.nextInt(40), buffer(1 + random.nextInt(40)));
      }
    }
    return op.build();
  }

  /** Everything about an object in one read. */
  static ReadOp all() {
    return ReadOp.builder()
        .size()
        .crc32c()
        .xattr("x")
        .xattr("y")
        .omapRange("", "", 100)
        .data(0, ByteBuffer.allocate(100))
        .build();
  }

  private Map<String, byte[]> entries() {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      entries.put(pick(KEYS), value());
    }
    return entries;
  }

  private byte[] value() {
    return pick(VALUES).getBytes(UTF_8);
  }

  private ByteBuffer data() {
    byte[] bytes = new byte[random.nextInt(60)];
    random.nextBytes(bytes);
    return buffer(bytes.length).put(bytes).flip();
  }

  private ByteBuffer buffer(int length) {
    return random.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** What a write comes to on this store. */
  static String outcome(ObjectStore store, String object, WriteOp op) throws IOException {
    try {
      store.write(object, op);
      return "ok";
    } catch (StoreException e) {
      return e.kind().toString();
    }
  }

  /** What a read comes to on this store, with all that it answers. */
  static String outcome(ObjectStore store, String object, ReadOp op) throws IOException {
    ReadResult result;
    try {
      result = store.read(object, op);
    } catch (StoreException e) {
      return e.kind().toString();
    }
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < op.steps().size(); i++) {
      answers.add(answer(op.steps().get(i), result, i));
    }
    return answers.toString();
  }

  private static String answer(ReadOp.Step step, ReadResult result, int number) {
    if (step instanceof ReadOp.OmapRange || step instanceof ReadOp.OmapByKeys) {
      StringBuilder text = new StringBuilder(step instanceof ReadOp.OmapRange ? "range" : "keys");
      result.omap(number).forEach((key, value) -> text.append(' ').append(key).append(hex(value)));
      return text + " " + result.more(number);
    } else if (step instanceof ReadOp.Data data) {
      byte[] bytes = new byte[(int) result.bytes(number)];
      data.into().duplicate().get(bytes);
      return "data" + hex(bytes);
    } else if (step instanceof ReadOp.Xattr) {
      return "xattr" + result.xattr(number).map(RandomOps::hex).orElse(" none");
    } else if (step instanceof ReadOp.Crc32c) {
      return "crc32c " + Integer.toHexString(result.crc32c(number));
    } else if (step instanceof ReadOp.Size) {
      return "size " + result.bytes(number);
    } else {
      return "passed";
    }
  }

  private static String hex(byte[] bytes) {
    return "=" + Arrays.toString(bytes);
  }
}
