// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * Finds keys that begin like settings of radosfs, and that nothing reads: a mistyped one would be
 * without effect, silently. Ceph's own options are not among them, as Ceph refuses those that it
 * does not know.
 */
public final class UnknownSettings {

  /** The prefixes of the committer's settings, which the committer looks at. */
  private static final List<String> COMMITTERS =
      List.of(Settings.PREFIX + "committer.", Settings.PREFIX + "plugin.");

  private static final String CEPH_PREFIX = Settings.PREFIX + "ceph.";
  private static final String POOL_PREFIX = Settings.PREFIX + "pool.";

  /** What Hadoop reads of a scheme. */
  private static final List<String> HADOOPS =
      List.of(Settings.PREFIX + "impl", Settings.PREFIX + "impl.disable.cache");

  private final Configuration conf;
  private final String pool;

  /**
   * @param pool whose own settings are looked at too; those of other pools are not
   */
  public UnknownSettings(Configuration conf, String pool) {
    this.conf = conf;
    this.pool = pool;
  }

  /** A sentence for each key that the connector does not know, in their order. */
  public List<String> ofConnector() {
    return sentences(/* ofCommitter= */ false, List.of());
  }

  /**
   * The same for the committer's keys.
   *
   * @param options the committer's
   */
  public List<String> ofCommitter(List<Option<?>> options) {
    return sentences(/* ofCommitter= */ true, options);
  }

  private List<String> sentences(boolean ofCommitter, List<Option<?>> more) {
    TreeSet<String> known = new TreeSet<>(HADOOPS);
    Options.ALL.forEach(option -> known.add(option.key()));
    more.forEach(option -> known.add(option.key()));
    List<String> sentences = new ArrayList<>();
    given()
        .forEach(
            (key, set) -> {
              boolean committers = COMMITTERS.stream().anyMatch(key::startsWith);
              if (committers == ofCommitter
                  && !key.startsWith(CEPH_PREFIX)
                  && !known.contains(key)
                  && !mayBeOfAnotherPool(key, set, known)) {
                sentences.add(
                    "nothing reads the setting "
                        + set
                        + ": it has no effect. The nearest that there is: "
                        + set.substring(0, set.length() - key.length() + Settings.PREFIX.length())
                        + nearest(key, known).substring(Settings.PREFIX.length()));
              }
            });
    return sentences;
  }

  /** A pool's name may be this one's and more: of {@code lake}, {@code lake.ec}. */
  private static boolean mayBeOfAnotherPool(String key, String set, TreeSet<String> known) {
    return !set.equals(key)
        && known.stream()
            .anyMatch(option -> key.endsWith("." + option.substring(Settings.PREFIX.length())));
  }

  /** The keys that are set, for all pools or for this one, without and with the pool. */
  private Map<String, String> given() {
    String own = POOL_PREFIX + pool + ".";
    Map<String, String> keys = new TreeMap<>();
    for (String name : conf.getPropsWithPrefix(Settings.PREFIX).keySet()) {
      String set = Settings.PREFIX + name;
      if (set.startsWith(own)) {
        keys.put(Settings.PREFIX + set.substring(own.length()), set);
      } else if (!set.startsWith(POOL_PREFIX)) {
        keys.putIfAbsent(set, set);
      }
    }
    return keys;
  }

  private static String nearest(String key, TreeSet<String> known) {
    return known.stream().min(Comparator.comparingInt(other -> distance(key, other))).orElseThrow();
  }

  /** Insertions, removals and replacements of characters that make one text the other. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
