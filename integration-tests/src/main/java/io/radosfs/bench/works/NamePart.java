// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.util.List;
import java.util.Locale;

/**
 * A part of the names of those works that are to be done.
 *
 * @param text in small or capital letters
 */
public record NamePart(String text) {

  public boolean isIn(String name) {
    return name.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  /** What is thrown where no work has it in its name. */
  public IllegalArgumentException isInNone(List<String> names) {
    return new IllegalArgumentException(
        "no work has '" + text + "' in its name: there are " + names);
  }
}
