// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Keys in files, read as librados reads them, to say what is wrong with one. */
final class Keyring {

  private Keyring() {}

  /** Returns what a file holds that has nothing but a key; empty if it cannot be read. */
  static Optional<String> only(Path keyFile) {
    try {
      return Optional.of(Files.readString(keyFile, StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      // As below.
      return Optional.empty();
    }
  }

  /**
   * Returns the key of a user: the value of {@code key} in the section with the user's name. Empty
   * if the file cannot be read, or has no such key.
   */
  static Optional<String> key(Path file, String entity) {
    boolean own = false;
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        String text = line.strip();
        int equals = text.indexOf('=');
        if (text.startsWith("[")) {
          own = text.equals("[" + entity + "]");
        } else if (own && equals > 0 && text.substring(0, equals).strip().equals("key")) {
          return Optional.of(text.substring(equals + 1).strip());
        }
      }
    } catch (IOException e) {
      // librados has said already that the connection failed; this only explains it.
      return Optional.empty();
    }
    return Optional.empty();
  }
}
