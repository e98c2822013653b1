// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import java.util.Collection;
import java.util.stream.Collectors;

/** The steps of an operation in one line, for messages: a few of the keys, never values. */
final class OpText {

  private static final int KEYS_SHOWN = 3;
  private static final int NAME_SHOWN = 200;

  private OpText() {}

  static String of(WriteOp op) {
    return op.steps().stream().map(OpText::step).collect(Collectors.joining(", ", "write [", "]"));
  }

  static String of(ReadOp op) {
    return op.steps().stream().map(OpText::step).collect(Collectors.joining(", ", "read [", "]"));
  }

  private static String step(WriteOp.Step step) {
    if (step instanceof WriteOp.AssertExists) {
      return "assert exists";
    } else if (step instanceof WriteOp.CreateExclusive) {
      return "create exclusively";
    } else if (step instanceof WriteOp.CreateIfMissing) {
      return "create if missing";
    } else if (step instanceof WriteOp.CompareOmap compare) {
      boolean absent = compare.expected().length == 0;
      return (absent ? "omap absent " : "omap compare ") + shortened(compare.key());
    } else if (step instanceof WriteOp.CompareXattr compare) {
      return "compare xattr " + shortened(compare.name());
    } else if (step instanceof WriteOp.SetOmap set) {
      return "omap set " + keys(set.entries().keySet());
    } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
      return "omap remove " + keys(remove.keys());
    } else if (step instanceof WriteOp.SetXattr set) {
      return "set xattr " + shortened(set.name());
    } else if (step instanceof WriteOp.WriteFull write) {
      return "write " + write.data().remaining() + " bytes";
    } else if (step instanceof WriteOp.HintWrittenOnce) {
      return "hint written once";
    } else if (step instanceof WriteOp.EvenIfFull) {
      return "even if full";
    }
    return "remove";
  }

  private static String step(ReadOp.Step step) {
    if (step instanceof ReadOp.CompareXattr compare) {
      return "compare xattr " + shortened(compare.name());
    } else if (step instanceof ReadOp.OmapByKeys byKeys) {
      return "omap get " + keys(byKeys.keys());
    } else if (step instanceof ReadOp.OmapRange range) {
      return "omap list " + range.prefix() + "* after '" + range.startAfter() + "'";
    } else if (step instanceof ReadOp.Data data) {
      return "data of " + data.into().remaining() + " bytes at " + data.offset();
    } else if (step instanceof ReadOp.Xattr xattr) {
      return "xattr " + shortened(xattr.name());
    } else if (step instanceof ReadOp.Crc32c) {
      return "CRC-32C of all data";
    }
    return "size";
  }

  /** A name short enough for a message. */
  static String shortened(String name) {
    return name.length() <= NAME_SHOWN ? name : name.substring(0, NAME_SHOWN) + "...";
  }

  private static String keys(Collection<String> keys) {
    String shown =
        keys.stream().limit(KEYS_SHOWN).map(OpText::shortened).collect(Collectors.joining(" "));
    return keys.size() <= KEYS_SHOWN
        ? shown
        : shown + " and " + (keys.size() - KEYS_SHOWN) + " more";
  }
}
