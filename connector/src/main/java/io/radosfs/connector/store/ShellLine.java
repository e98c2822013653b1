// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command as a line for a POSIX shell, for people to copy. Names of objects and files come from
 * anyone who may write, and may hold anything that a shell would take for its own.
 */
public final class ShellLine {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellLine() {}

  /** Each word stands as it is, or in single quotes if a shell would read it in another way. */
  public static String of(List<String> words) {
    return words.stream().map(ShellLine::word).collect(Collectors.joining(" "));
  }

  private static String word(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
