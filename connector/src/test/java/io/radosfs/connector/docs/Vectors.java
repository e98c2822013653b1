// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The test vectors of a page, as anybody reads them who writes a reader in another language: fenced
 * blocks {@code vectors} with lines {@code name = value}, and blocks {@code pool <name>} with what
 * a pool holds.
 */
public final class Vectors {

  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```(vectors|pool (\\S+))\\n(.*?)^```$");

  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, String> pools = new LinkedHashMap<>();

  private Vectors(String page) {
    Matcher block = BLOCK.matcher(Repository.page(page));
    while (block.find()) {
      if (block.group(2) != null) {
        put(pools, block.group(2), block.group(3));
        continue;
      }
      for (String line : block.group(3).split("\n")) {
        if (!line.isBlank() && !line.startsWith("#")) {
          int equals = line.indexOf(" = ");
          put(values, line.substring(0, equals), line.substring(equals + 3));
        }
      }
    }
  }

  /** Those of a page, given by its path from the top of the repository. */
  public static Vectors of(String page) {
    return new Vectors(page);
  }

  private static void put(Map<String, String> all, String name, String value) {
    if (all.put(name, value) != null) {
      throw new IllegalStateException("two vectors named " + name);
    }
  }

  /** Vectors as the lines of a block, sorted. */
  public static String text(Map<String, String> vectors) {
    return new TreeMap<>(vectors)
        .entrySet().stream()
            .map(vector -> vector.getKey() + " = " + vector.getValue() + "\n")
            .collect(Collectors.joining());
  }

  /** Stored values, and names of objects and keys, by the vector's name. */
  public Map<String, String> values() {
    return values;
  }

  /** What is in pools, as {@link StoredStates} shows it, by the block's name. */
  public Map<String, String> pools() {
    return pools;
  }
}
