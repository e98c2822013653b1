// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Files of a test run, below the module's {@code target} folder. */
final class Scratch {

  private static final AtomicLong COUNT = new AtomicLong();

  private Scratch() {}

  /** A new folder for one cluster's conf and keyrings. */
  static Path folder() {
    try {
      Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
      return Files.createTempDirectory(target, "ceph-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for the cluster's conf", e);
    }
  }

  static String newName() {
    return "file-" + COUNT.incrementAndGet();
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
