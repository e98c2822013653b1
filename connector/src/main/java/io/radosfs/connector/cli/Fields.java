// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of one result, in their order, for JSON. */
final class Fields {

  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Adds a text, number or truth value, or a list of them. */
  Fields with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /** Adds the fields of each as an object of a list. */
  Fields withEach(String name, List<Fields> each) {
    return with(name, each.stream().map(Fields::values).toList());
  }

  /** Adds an object. */
  Fields withAll(String name, Fields fields) {
    return with(name, fields.values());
  }

  /** Adds a value if there is one. */
  Fields withIf(String name, Optional<?> value) {
    value.ifPresent(present -> with(name, present));
    return this;
  }

  /** Adds a time, given in milliseconds since the epoch. */
  Fields withTime(String name, long millis) {
    return with(name, Instant.ofEpochMilli(millis).toString());
  }

  Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }
}
