package io.radosfs.connector.layout;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A random identity, new for every file written, directory made and transaction begun: 24
 * lower-case hexadecimal digits.
 */
public record Uid(String value) {

  private static final int BYTES = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  public Uid {
    boolean valid = value.length() == 2 * BYTES;
    for (int i = 0; valid && i < value.length(); i++) {
      valid = isLowerHex(value.charAt(i));
    }
    if (!valid) {
      throw new IllegalArgumentException("not a uid: '" + value + "'");
    }
  }

  public static Uid random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new Uid(HexFormat.of().formatHex(bytes));
  }

  private static boolean isLowerHex(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
  }

  @Override
  public String toString() {
    return value;
  }
}
