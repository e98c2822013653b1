// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.Comparator;

/** The order of omap keys: by their UTF-8 bytes. This is the order of code points, not of chars. */
public enum OmapKeyOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above every other char.
        boolean high = Character.isSurrogate(x);
        return high == Character.isSurrogate(y) ? Character.compare(x, y) : high ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
