// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a ceph.conf for clients in this JVM. */
final class ClientConf {

  private ClientConf() {}

  /**
   * Writes what {@code ceph config generate-minimal-conf} printed, and where the keyrings are:
   * beside it. No log and no admin socket, which would go to folders that a tester may not write
   * to.
   */
  static void write(Path conf, String minimalConf) {
    String content =
        "%s%n  keyring = %s/ceph.$name.keyring%n  log_file =%n  admin_socket =%n"
            .formatted(minimalConf.stripTrailing(), conf.toAbsolutePath().getParent());
    try {
      Files.writeString(conf, content, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + conf, e);
    }
  }
}
