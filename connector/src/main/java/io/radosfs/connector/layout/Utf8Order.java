package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of RADOS omap keys: by their UTF-8 bytes, unsigned. It differs from String's own order
 * where characters beyond the Basic Multilingual Plane meet those after the surrogates.
 */
public enum Utf8Order implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        return Character.isSurrogate(a) == Character.isSurrogate(b)
            ? Character.compare(a, b)
            : Arrays.compareUnsigned(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
      }
    }
    return Integer.compare(one.length(), other.length());
  }
}
