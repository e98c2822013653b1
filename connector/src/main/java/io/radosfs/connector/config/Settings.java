// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of one pool: {@code fs.rados.pool.<pool>.<name>} where that is set, else {@code
 * fs.rados.<name>}, else the default.
 */
public final class Settings {

  public static final String PREFIX = "fs.rados.";

  private static final String POOL_PREFIX = PREFIX + "pool.";
  private static final String CEPH_PREFIX = PREFIX + "ceph.";
  private static final String CEPH_KEY = "key";

  private final Configuration conf;
  private final String pool;

  public Settings(Configuration conf, String pool) {
    this.conf = conf;
    this.pool = pool;
  }

  /**
   * The value of a setting.
   *
   * @throws IllegalArgumentException when what is set cannot be read, naming key, value and what
   *     was expected
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

  /**
   * What is set or default for every setting, by its key without the pool: what tells mounts apart.
   * Secrets are not in it, only what tells them apart.
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

  /** Where classes that settings name are looked for. */
  public ClassLoader classLoader() {
    return conf.getClassLoader();
  }

  /**
   * Settings to pass on to Ceph by their own names: {@code fs.rados.ceph.<option>} but for those
   * that {@link Options} gives a meaning of their own.
   *
   * @throws IllegalArgumentException for Ceph's option {@code key}: a secret under that name would
   *     be shown, by Spark's web pages and event log for one
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
