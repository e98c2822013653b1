// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * A random identity, new for every file written, directory made and transaction begun: 24
 * lower-case hexadecimal digits.
 */
public record Uid(String value) {

  private static final int BYTES = 12;
  private static final int DIGITS = 2 * BYTES;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The source of a thread's uids, if not {@link #RANDOM}: see {@link #drawing}. */
  private static final ThreadLocal<Random> SOURCE = new InheritableThreadLocal<>();

  public Uid {
    boolean valid = value.length() == DIGITS;
    for (int i = 0; valid && i < value.length(); i++) {
      valid = isLowerHex(value.charAt(i));
    }
    if (!valid) {
      throw new IllegalArgumentException("not a uid: '" + value + "'");
    }
  }

  public static Uid random() {
    byte[] bytes = new byte[BYTES];
    Random source = SOURCE.get();
    (source == null ? RANDOM : source).nextBytes(bytes);
    return new Uid(HexFormat.of().formatHex(bytes));
  }

  /**
   * Runs work whose uids are the same in each run, as a simulation needs: the uids of the work, and
   * of the threads that it makes, come from this source.
   */
  public static void drawing(Random source, Runnable work) {
    Random before = SOURCE.get();
    SOURCE.set(source);
    try {
      work.run();
    } finally {
      if (before == null) {
        SOURCE.remove();
      } else {
        SOURCE.set(before);
      }
    }
  }

  /**
   * Returns all uids in a text, whatever is around them: the runs of lower-case hexadecimal digits
   * that have the length of one. A scan by hand, as a check reads all manifests of a pool by it.
   */
  static List<Uid> in(byte[] text) {
    List<Uid> uids = new ArrayList<>();
    int digits = 0;
    for (int at = 0; at <= text.length; at++) {
      if (at < text.length && isLowerHex((char) text[at])) {
        digits++;
      } else {
        if (digits == DIGITS) {
          uids.add(new Uid(new String(text, at - DIGITS, DIGITS, StandardCharsets.US_ASCII)));
        }
        digits = 0;
      }
    }
    return uids;
  }

  private static boolean isLowerHex(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
  }

  @Override
  public String toString() {
    return value;
  }
}
