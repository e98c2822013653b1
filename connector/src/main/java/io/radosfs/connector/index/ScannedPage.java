// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.store.OmapEntries;
import java.util.function.UnaryOperator;

/**
 * A page of a scan, as it is held until it is handed out. A scan may hold all of a large directory.
 * So entries and intents are held without their extended attributes, which may take a hundred times
 * as much as all else. Immutable.
 */
public final class ScannedPage {

  private static final int[] NOTHING = {};

  private final OmapEntries entries;

  /** For each entry, how many bytes of its value are left out; empty if none of any. */
  private final int[] leftOut;

  private ScannedPage(OmapEntries entries, int[] leftOut) {
    this.entries = entries;
    this.leftOut = leftOut;
  }

  /**
   * A page of keys with this prefix.
   *
   * @param read the page as read, which is not held if anything is left out
   */
  static ScannedPage of(String prefix, OmapEntries read) {
    return switch (prefix) {
      case IndexKeys.ENTRY_PREFIX -> shortened(read, EntryCodec::withoutXattrs);
      case IndexKeys.INTENT_PREFIX -> shortened(read, WriteIntent::withoutXattrs);
      default -> new ScannedPage(read, NOTHING);
    };
  }

  private static ScannedPage shortened(OmapEntries read, UnaryOperator<byte[]> withoutXattrs) {
    if (!read.contains(EntryCodec.XATTR_BEGINS)) {
      return new ScannedPage(read, NOTHING);
    }
    OmapEntries shorter = read.withValues(withoutXattrs);
    int[] leftOut = new int[read.size()];
    for (int i = 0; i < leftOut.length; i++) {
      leftOut[i] = read.valueLength(i) - shorter.valueLength(i);
    }
    return new ScannedPage(shorter, leftOut);
  }

  /** Keys and values. */
  public OmapEntries entries() {
    return entries;
  }

  /** How many bytes of extended attributes are left out of the value of entry {@code i}. */
  public int leftOut(int i) {
    return leftOut.length == 0 ? 0 : leftOut[i];
  }
}
