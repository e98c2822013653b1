// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import org.apache.hadoop.conf.Configuration;

/**
 * One setting.
 *
 * @param key its name in a Hadoop configuration, beginning with {@link Settings#PREFIX}
 * @param defaultText the value if none is set, as a user would write it; empty for none
 * @param meaning what it does, for the table in connector/docs/configuration.md
 * @param type how the text is read
 * @param audience who sets it, and so in which of the page's tables it is
 */
public record Option<T>(
    String key, String defaultText, String meaning, Type<T> type, Audience audience) {

  public Option {
    if (!key.startsWith(Settings.PREFIX)) {
      throw new IllegalArgumentException(key);
    }
  }

  /** A setting for users. */
  public Option(String key, String defaultText, String meaning, Type<T> type) {
    this(key, defaultText, meaning, type, Audience.USERS);
  }

  /** Who has a reason to set something. */
  public enum Audience {
    /** Whoever runs jobs or a cluster. */
    USERS,
    /** Whoever works on radosfs, or was told to by an error or a page: the default serves. */
    DEVELOPERS
  }

  /** How the text of a setting becomes a value. */
  public interface Type<T> {
    /**
     * Reads the value of a key that is set, or else the default.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    T read(Configuration conf, String setKey, String defaultText);

    /** Whether the key is set. */
    default boolean isSet(Configuration conf, String key) {
      return conf.get(key) != null;
    }

    /**
     * Returns a text that differs if the value does, and may be shown to anyone. Reads nothing but
     * the configuration.
     */
    default String mark(Configuration conf, String setKey, String defaultText) {
      return conf.getTrimmed(setKey, defaultText);
    }
  }
}
