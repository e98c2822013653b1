// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds a cluster's data in memory, where a machine has much of it. BlueStore waits for its disk at
 * each commit, and the tests wait for BlueStore. Without a disk they take a fifth less time, and as
 * much less of the processor. The daemons notice no difference.
 */
final class MemoryDisk {

  /** All clusters of a whole run held 2 GiB at most, and are asked for one after another. */
  private static final int AVAILABLE_GIB = 8;

  /** Since then a tmpfs allows O_DIRECT, which BlueStore needs. */
  private static final int MAJOR = 6;

  private static final int MINOR = 6;

  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final Pattern AVAILABLE =
      Pattern.compile("^MemAvailable: +(\\d+) kB$", Pattern.MULTILINE);

  private MemoryDisk() {}

  /** Options of a tmpfs for one more cluster; empty where its data is to be on a disk. */
  static Optional<String> options() {
    try {
      return options(System.getProperty("os.version"), Files.readString(Path.of("/proc/meminfo")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read how much memory there is", e);
    }
  }

  /** For a kernel of that release, with that much memory as /proc/meminfo says. */
  static Optional<String> options(String kernel, String meminfo) {
    Matcher release = RELEASE.matcher(kernel);
    Matcher available = AVAILABLE.matcher(meminfo);
    if (!release.matches() || !available.find()) {
      return Optional.empty();
    }
    int major = Integer.parseInt(release.group(1));
    int minor = Integer.parseInt(release.group(2));
    boolean direct = major > MAJOR || (major == MAJOR && minor >= MINOR);
    boolean large = Long.parseLong(available.group(1)) >> 20 >= AVAILABLE_GIB;
    // A bound that is not reached: the stores are sparse files, which are told how large they may
    // be.
    return direct && large ? Optional.of("rw,size=32g") : Optional.empty();
  }
}
