// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import java.util.Arrays;
import java.util.List;

/**
 * Which of a suite's queries are asked.
 *
 * @param only their names, separated by commas, such as {@code 1,14a}; null for all
 */
public record ChosenQueries(String only) {

  public boolean areAll() {
    return only == null;
  }

  /**
   * Those that were chosen, in the order of the suite.
   *
   * @throws IllegalArgumentException if one is not of the suite
   */
  public List<String> of(List<String> all) {
    if (areAll()) {
      return all;
    }
    List<String> chosen = Arrays.stream(only.split(",")).map(String::strip).toList();
    for (String name : chosen) {
      if (!all.contains(name)) {
        throw new IllegalArgumentException("no query '" + name + "': there are " + all);
      }
    }
    return all.stream().filter(chosen::contains).toList();
  }
}
