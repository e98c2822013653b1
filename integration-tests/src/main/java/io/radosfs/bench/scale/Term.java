// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.List;

/** What the cost of a job may grow with. */
public enum Term {
  FILES("file", "files"),
  PARTITIONS("partition", "partitions"),
  TASKS("task", "tasks"),
  EXECUTORS("executor", "executors"),
  SHARDS("shard", "shards"),

  /**
   * Files whose names get a write intent first, and their entry after the decision. A commit whose
   * names are all in one index object, and fit one operation, needs none.
   */
  FILES_WITH_INTENTS("file with an intent", "files with intents");

  /** The numbers of a {@link JobSize}; the others follow from them. */
  public static final List<Term> SIZES = List.of(FILES, PARTITIONS, TASKS, EXECUTORS, SHARDS);

  private final String singular;
  private final String plural;

  Term(String singular, String plural) {
    this.singular = singular;
    this.plural = plural;
  }

  public String singular() {
    return singular;
  }

  public String plural() {
    return plural;
  }
}
