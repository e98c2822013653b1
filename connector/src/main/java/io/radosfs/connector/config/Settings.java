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

  private final Configuration conf;
  private final String pool;

  public Settings(Configuration conf, String pool) {
    this.conf = conf;
    this.pool = pool;
  }

  public String pool() {
    return pool;
  }

  /**
   * The value of a setting.
   *
   * @throws IllegalArgumentException when what is set cannot be read, naming key, value and what
   *     was expected
   */
  public <T> T get(Option<T> option) {
    String key = setKey(option.key());
    try {
      return option.type().read(conf, key, option.defaultText());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key + " is '" + conf.get(key) + "', but should be " + e.getMessage(), e);
    }
  }

  /**
   * The text of every setting, set or default, by its key without the pool: what tells mounts
   * apart.
   */
  public Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    for (Option<?> option : Options.ALL) {
      values.put(option.key(), conf.getTrimmed(setKey(option.key()), option.defaultText()));
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
   */
  public Map<String, String> cephOptions() {
    Set<String> own = new HashSet<>();
    Options.ALL.forEach(option -> own.add(option.key()));
    Map<String, String> options = new TreeMap<>();
    for (String prefix : new String[] {CEPH_PREFIX, poolKey(CEPH_PREFIX)}) {
      conf.getPropsWithPrefix(prefix)
          .forEach(
              (name, value) -> {
                if (!own.contains(CEPH_PREFIX + name)) {
                  options.put(name, value.trim());
                }
              });
    }
    return options;
  }

  private String setKey(String key) {
    String poolKey = poolKey(key);
    return conf.get(poolKey) == null ? key : poolKey;
  }

  private String poolKey(String key) {
    return POOL_PREFIX + pool + "." + key.substring(PREFIX.length());
  }
}
