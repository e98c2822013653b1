// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Operations in words for the log, and copies of them. Without streams and formats, as many
 * operations are put in words; {@link Words} says when.
 */
final class Steps {

  private static final int NAMES_SHOWN = 4;
  private static final int BYTES_SHOWN = 24;

  private Steps() {}

  static String summary(WriteOp op) {
    StringBuilder text = new StringBuilder();
    for (WriteOp.Step step : op.steps()) {
      separate(text, " ").append(describe(step));
    }
    return text.toString();
  }

  static String summary(ReadOp op) {
    StringBuilder text = new StringBuilder();
    if (op.from() != ReadFrom.PRIMARY) {
      text.append(Words.ANY_COPY);
    }
    for (ReadOp.Step step : op.steps()) {
      separate(text, " ").append(describe(step));
    }
    return text.toString();
  }

  private static StringBuilder separate(StringBuilder text, String separator) {
    return text.length() == 0 ? text : text.append(separator);
  }

  /** The same operation on copies of its buffers, for an operation that outlives its caller. */
  static WriteOp copy(WriteOp op) {
    List<WriteOp.Step> steps = new ArrayList<>();
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.WriteFull full) {
        steps.add(new WriteOp.WriteFull(ByteBuffer.wrap(bytes(full.data()))));
      } else {
        steps.add(step);
      }
    }
    return new WriteOp(steps);
  }

  /** What is between the buffer's position and limit; the buffer stays as it is. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static String describe(WriteOp.Step step) {
    if (step instanceof WriteOp.AssertExists) {
      return "assertExists";
    } else if (step instanceof WriteOp.CreateExclusive) {
      return "createExclusive";
    } else if (step instanceof WriteOp.CreateIfMissing) {
      return "createIfMissing";
    } else if (step instanceof WriteOp.CompareOmap compare) {
      return compare.expected().length == 0
          ? "absentOmap(" + compare.key() + ")"
          : "compareOmap(" + compare.key() + "=" + show(compare.expected()) + ")";
    } else if (step instanceof WriteOp.CompareXattr compare) {
      return "compareXattr(" + compare.name() + "=" + show(compare.expected()) + ")";
    } else if (step instanceof WriteOp.SetOmap set) {
      return "setOmap(" + entries(set.entries()) + ")";
    } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
      return "removeOmap(" + names(remove.keys()) + ")";
    } else if (step instanceof WriteOp.SetXattr set) {
      return "setXattr(" + set.name() + "=" + show(set.value()) + ")";
    } else if (step instanceof WriteOp.WriteFull full) {
      return "writeFull(" + full.data().remaining() + " bytes)";
    } else if (step instanceof WriteOp.HintWrittenOnce) {
      return "hintWrittenOnce";
    } else if (step instanceof WriteOp.EvenIfFull) {
      return "evenIfFull";
    } else {
      return "remove";
    }
  }

  private static String describe(ReadOp.Step step) {
    if (step instanceof ReadOp.CompareXattr compare) {
      return "compareXattr(" + compare.name() + "=" + show(compare.expected()) + ")";
    } else if (step instanceof ReadOp.OmapByKeys byKeys) {
      return "omapByKeys(" + names(byKeys.keys()) + ")";
    } else if (step instanceof ReadOp.OmapRange range) {
      return "omapRange(after '"
          + range.startAfter()
          + "', prefix '"
          + range.prefix()
          + "', max "
          + range.max()
          + ")";
    } else if (step instanceof ReadOp.Data data) {
      return "data(" + data.into().remaining() + " bytes at " + data.offset() + ")";
    } else if (step instanceof ReadOp.Size) {
      return "size";
    } else if (step instanceof ReadOp.Crc32c) {
      return "crc32c";
    } else {
      return "xattr(" + ((ReadOp.Xattr) step).name() + ")";
    }
  }

  private static String entries(Map<String, byte[]> entries) {
    StringBuilder text = new StringBuilder();
    Iterator<Map.Entry<String, byte[]>> shown = entries.entrySet().iterator();
    for (int i = 0; i < NAMES_SHOWN && shown.hasNext(); i++) {
      Map.Entry<String, byte[]> entry = shown.next();
      separate(text, ", ").append(entry.getKey()).append('=').append(show(entry.getValue()));
    }
    return more(entries.size(), text);
  }

  private static String names(Collection<String> names) {
    List<String> sorted = new ArrayList<>(names);
    sorted.sort(Utf8Order.COMPARATOR);
    StringBuilder text = new StringBuilder();
    for (String name : sorted.subList(0, Math.min(NAMES_SHOWN, sorted.size()))) {
      separate(text, ", ").append(name);
    }
    return more(sorted.size(), text);
  }

  private static String more(int size, StringBuilder shown) {
    return size > NAMES_SHOWN
        ? shown.append(", and ").append(size - NAMES_SHOWN).append(" more").toString()
        : shown.toString();
  }

  /** Bytes as text when they are printable ASCII, otherwise their number. */
  private static String show(byte[] bytes) {
    if (bytes.length > BYTES_SHOWN) {
      return "<" + bytes.length + " bytes>";
    }
    for (byte b : bytes) {
      if (b < 0x20 || b > 0x7e) {
        return "<" + bytes.length + " bytes>";
      }
    }
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
