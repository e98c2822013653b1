// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.util.Map;

/**
 * A release of Ceph to test on.
 *
 * @param major such as 18
 * @param baseImage the image of the Debian that has it
 */
record Release(String major, String baseImage) {

  /** Names the release of the clusters that tests start; {@code scripts/test} sets it. */
  private static final String PROPERTY = "ceph.release";

  private static final String DEFAULT = "16";

  private static final Map<String, String> BASE_IMAGES =
      Map.of("16", "debian:bookworm-slim", "18", "debian:trixie-slim", "20", "debian:sid-slim");

  /** What {@code -Dceph.release} says. */
  static Release wanted() {
    String given = System.getProperty(PROPERTY, "");
    String major = given.isBlank() ? DEFAULT : given;
    String image = BASE_IMAGES.get(major);
    if (image == null) {
      throw new IllegalStateException(
          "-D%s=%s: there are %s".formatted(PROPERTY, major, BASE_IMAGES.keySet()));
    }
    return new Release(major, image);
  }

  /** Whether clusters are to be of another release than a test gets by default. */
  static boolean isGiven() {
    return !System.getProperty(PROPERTY, "").isBlank();
  }
}
