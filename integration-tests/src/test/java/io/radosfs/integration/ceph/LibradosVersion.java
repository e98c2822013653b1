// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import com.sun.jna.NativeLibrary;

/**
 * The release of Ceph that the librados of this JVM is of.
 *
 * @param text as Ceph writes it: 20.2.4, perhaps with what a distribution adds
 */
public record LibradosVersion(String text) implements Comparable<LibradosVersion> {

  /**
   * {@code const char *ceph_version_to_str()} of the library that librados is a part of. Its own
   * {@code rados_version} tells the version of the API, which is 3.0.0 in all releases.
   */
  private static final String FUNCTION = "_Z19ceph_version_to_strv";

  public static LibradosVersion ofThisJvm() {
    return new LibradosVersion(
        NativeLibrary.getInstance("rados")
            .getFunction(FUNCTION)
            .invokeString(new Object[0], false));
  }

  public int major() {
    return part(0);
  }

  /** Whether it reads keys of the type {@code aes256k}: from 19.2.6 and 20.2.4 on. */
  public boolean readsNewerKeys() {
    return compareTo(new LibradosVersion("20.2.4")) >= 0
        || major() == 19 && compareTo(new LibradosVersion("19.2.6")) >= 0;
  }

  @Override
  public int compareTo(LibradosVersion other) {
    for (int i = 0; i < 3; i++) {
      if (part(i) != other.part(i)) {
        return Integer.compare(part(i), other.part(i));
      }
    }
    return 0;
  }

  private int part(int index) {
    String[] parts = text.split("[.~+-]");
    return index < parts.length ? Integer.parseInt(parts[index]) : 0;
  }
}
