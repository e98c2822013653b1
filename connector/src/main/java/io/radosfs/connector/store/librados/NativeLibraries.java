// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.Rados;
import com.sun.jna.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Says which native library is missing. Of the two, JNA's own comes with its jar. */
final class NativeLibraries {

  private NativeLibraries() {}

  /**
   * @param failure of loading librados by JNA
   */
  static String explain(LinkageError failure) {
    return isJnaLoaded()
        ? "cannot load librados, Ceph's client library: install the package librados2 of your"
            + " cluster's release on every host (JNA: "
            + inOneLine(failure.getMessage())
            + ")"
        : "cannot load the native part of JNA, which it unpacks into a temporary folder ("
            + folderOfJna()
            + "): is that mounted noexec, or not writable? Have it use another, by -Djna.tmpdir=<folder>"
            + " for every JVM: in Spark spark.driver.extraJavaOptions and"
            + " spark.executor.extraJavaOptions, for scripts/radosfs RADOSFS_JAVA_OPTS ("
            + inOneLine(failure.getMessage())
            + ")";
  }

  /** JNA tells of each place where it has looked, in a line of its own. */
  private static String inOneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }

  /**
   * On Linux JNA has a folder in the user's cache, and the temporary one where it can make none.
   */
  private static String folderOfJna() {
    String set = System.getProperty("jna.tmpdir");
    if (set != null) {
      return set;
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path caches =
        cache == null || cache.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    Path folder = caches.resolve("JNA").resolve("temp");
    return Files.isDirectory(folder) ? folder.toString() : System.getProperty("java.io.tmpdir");
  }

  /** Which librados was loaded. */
  static String describe() {
    int[] version = Rados.getVersion();
    return String.format("librados %d.%d.%d%s", version[0], version[1], version[2], loadedFrom());
  }

  /** As far as the kernel tells. */
  private static String loadedFrom() {
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      return mapped
          .filter(line -> line.contains("/librados.so"))
          .map(line -> ", " + line.substring(line.indexOf('/')))
          .findFirst()
          .orElse("");
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  /** A class that failed to initialise once fails again, for ever. */
  private static boolean isJnaLoaded() {
    try {
      return Native.POINTER_SIZE > 0;
    } catch (LinkageError e) {
      return false;
    }
  }
}
