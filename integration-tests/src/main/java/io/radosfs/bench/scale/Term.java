// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

/** What the cost of a job may grow with. */
public enum Term {
  FILES("file"),
  PARTITIONS("partition"),
  TASKS("task"),
  EXECUTORS("executor"),
  SHARDS("shard");

  private final String singular;

  Term(String singular) {
    this.singular = singular;
  }

  public String singular() {
    return singular;
  }

  public String plural() {
    return singular + "s";
  }
}
