// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** The types of settings. */
public final class Types {

  private Types() {}

  public static Option.Type<String> text() {
    return (conf, key, defaultText) -> conf.getTrimmed(key, defaultText);
  }

  public static Option.Type<Boolean> flag() {
    return (conf, key, defaultText) -> {
      switch (conf.getTrimmed(key, defaultText).toLowerCase(Locale.ROOT)) {
        case "true":
          return true;
        case "false":
          return false;
        default:
          throw new IllegalArgumentException("true or false");
      }
    };
  }

  /** One of some words, in lower case. */
  static Option.Type<String> oneOf(String... words) {
    return (conf, key, defaultText) -> {
      String text = conf.getTrimmed(key, defaultText).toLowerCase(Locale.ROOT);
      if (List.of(words).contains(text)) {
        return text;
      }
      throw new IllegalArgumentException("one of " + String.join(", ", words));
    };
  }

  /** A constant of an enum, by its name in any case. */
  public static <E extends Enum<E>> Option.Type<E> oneOf(Class<E> constants) {
    return (conf, key, defaultText) -> {
      String text = conf.getTrimmed(key, defaultText);
      List<String> words = new ArrayList<>();
      for (E constant : constants.getEnumConstants()) {
        if (constant.name().equalsIgnoreCase(text)) {
          return constant;
        }
        words.add(constant.name().toLowerCase(Locale.ROOT));
      }
      int last = words.size() - 1;
      throw new IllegalArgumentException(
          String.join(", ", words.subList(0, last)) + " or " + words.get(last));
    };
  }

  static Option.Type<Integer> count(int min, int max) {
    return (conf, key, defaultText) -> {
      String text = conf.getTrimmed(key, defaultText);
      try {
        int value = Integer.parseInt(text);
        if (value >= min && value <= max) {
          return value;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new IllegalArgumentException("a whole number from " + min + " to " + max);
    };
  }

  /** Bytes, with Hadoop's binary suffixes: {@code 64K}, {@code 4M}, {@code 1G}. */
  static Option.Type<Long> size(String min, String max) {
    return size(min, max, 1);
  }

  /** The same, and a multiple of that many bytes. */
  static Option.Type<Long> size(String min, String max, long step) {
    long least = TraditionalBinaryPrefix.string2long(min);
    long most = TraditionalBinaryPrefix.string2long(max);
    return (conf, key, defaultText) -> {
      String text = conf.getTrimmed(key, defaultText);
      try {
        long value = TraditionalBinaryPrefix.string2long(text);
        if (value >= least && value <= most && value % step == 0) {
          return value;
        }
      } catch (IllegalArgumentException e) {
        // reported below
      }
      throw new IllegalArgumentException(
          "a size from "
              + min
              + " to "
              + max
              + (step == 1 ? "" : ", a multiple of " + step)
              + ", such as 4M");
    };
  }

  /** Hadoop's time suffixes: {@code 500ms}, {@code 30s}, {@code 2m}; seconds if there is none. */
  static Option.Type<Duration> time() {
    return time(1, "a time above zero, such as 30s or 500ms");
  }

  /** The same as {@link #time()}, or zero. */
  static Option.Type<Duration> timeOrZero() {
    return time(0, "a time, such as 30s or 500ms, or 0");
  }

  private static Option.Type<Duration> time(long leastMillis, String expected) {
    return (conf, key, defaultText) -> {
      try {
        long millis =
            conf.getTimeDuration(key, defaultText, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
        if (millis >= leastMillis) {
          return Duration.ofMillis(millis);
        }
      } catch (IllegalArgumentException e) {
        // reported below
      }
      throw new IllegalArgumentException(expected);
    };
  }
}
