// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of one pool: {@code fs.rados.pool.<pool>.<name>} if that is set, else {@code
 * fs.rados.<name>}, else the default.
 */
public final class Settings {

  public static final String PREFIX = "fs.rados.";

  private static final String POOL_PREFIX = PREFIX + "pool.";
  private static final String CEPH = "ceph.";
  private static final String CEPH_PREFIX = PREFIX + CEPH;
  private static final String CEPH_KEY = "key";

  /** What librados bounds operations by: set from the operation timeout. */
  private static final Set<String> CEPH_TIMEOUTS =
      Set.of("rados_osd_op_timeout", "rados_mon_op_timeout");

  private final Configuration conf;
  private final String pool;

  public Settings(Configuration conf, String pool) {
    this.conf = conf;
    this.pool = pool;
  }

  /**
   * The value of a setting.
   *
   * @throws IllegalArgumentException if the value cannot be read; names key, value and what was
   *     expected
   */
  public <T> T get(Option<T> option) {
    String poolKey = poolKey(option.key());
    String key = option.type().isSet(conf, poolKey) ? poolKey : option.key();
    try {
      return option.type().read(conf, key, option.defaultText());
    } catch (IllegalArgumentException e) {
      String mark = option.type().mark(conf, key, option.defaultText());
      throw new IllegalArgumentException(
          key + " is '" + mark + "', but should be " + e.getMessage(), e);
    }
  }

  /** Whether a setting is given, for this pool or for all. */
  public boolean isSet(Option<?> option) {
    return option.type().isSet(conf, poolKey(option.key()))
        || option.type().isSet(conf, option.key());
  }

  /**
   * Returns the value or default of every setting, by its key without the pool; mounts with equal
   * values can be shared. Secrets are replaced by a text that differs if they do.
   */
  public Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    for (Option<?> option : Options.ALL) {
      String poolKey = poolKey(option.key());
      String key = conf.get(poolKey) == null ? option.key() : poolKey;
      values.put(option.key(), option.type().mark(conf, key, option.defaultText()));
    }
    cephOptions().forEach((name, value) -> values.put(CEPH_PREFIX + name, value));
    return values;
  }

  /** Returns the pools for which a setting is given that is theirs alone. */
  public static Set<String> poolsWith(Configuration conf, Option<?> option) {
    String end = "." + option.key().substring(PREFIX.length());
    Set<String> pools = new TreeSet<>();
    for (String key : conf.getPropsWithPrefix(POOL_PREFIX).keySet()) {
      if (key.endsWith(end)) {
        pools.add(key.substring(0, key.length() - end.length()));
      }
    }
    return pools;
  }

  /** Loads the classes that settings name. */
  public ClassLoader classLoader() {
    return conf.getClassLoader();
  }

  /**
   * Returns Ceph's own options, to be passed on: {@code fs.rados.ceph.<option>} except those that
   * are in {@link Options}.
   *
   * @throws IllegalArgumentException for Ceph's option {@code key}: Spark's web pages and event
   *     log, for example, would show a secret under that name; and for its time-outs of operations,
   *     which bound every wait for RADOS
   */
  public Map<String, String> cephOptions() {
    Set<String> own = new HashSet<>();
    Options.ALL.forEach(option -> own.add(option.key()));
    Map<String, String> options = new TreeMap<>();
    for (String prefix : new String[] {CEPH_PREFIX, poolKey(CEPH_PREFIX)}) {
      conf.getPropsWithPrefix(prefix)
          .forEach(
              (name, value) -> {
                if (name.equals(CEPH_KEY)) {
                  throw new IllegalArgumentException(
                      prefix
                          + name
                          + " is not read, because Spark and Hadoop would show it. Set "
                          + prefix
                          + "secret instead, best in a credential provider (hadoop credential"
                          + " create), and change the key if others have seen it");
                }
                if (CEPH_TIMEOUTS.contains(name)) {
                  throw new IllegalArgumentException(
                      prefix
                          + name
                          + " is not read, because calls would wait longer for RADOS than they"
                          + " promise, or for ever. Set "
                          + prefix.substring(0, prefix.length() - CEPH.length())
                          + "operation.timeout instead");
                }
                if (!own.contains(CEPH_PREFIX + name)) {
                  options.put(name, value.trim());
                }
              });
    }
    return options;
  }

  private String poolKey(String key) {
    return POOL_PREFIX + pool + "." + key.substring(PREFIX.length());
  }
}
