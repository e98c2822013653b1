// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

/** Where the tables are that are compared. */
public enum MemorySide {
  DISK("local disk"),
  RADOS("rados://");

  private final String title;

  MemorySide(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
