// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

/** How much of a test is run: what finds most in little time, or, with {@code -Pdeep}, more. */
public final class Deep {

  private Deep() {}

  public static <T> T choose(T usual, T deep) {
    return Boolean.getBoolean("radosfs.deep") ? deep : usual;
  }
}
