// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import io.radosfs.connector.store.BatchLimit;
import java.util.Locale;

/**
 * How large a job is.
 *
 * @param partitions directories that it makes for its files; with none, the files are in the
 *     destination itself
 * @param executors processes that run its tasks
 * @param shards objects that the names of the destination are spread over, beside its head; with
 *     none, the head has them
 */
public record JobSize(int files, int partitions, int tasks, int executors, int shards) {

  public JobSize {
    if (files < 1 || partitions < 0 || tasks < 1 || executors < 1 || shards < 0) {
      throw new IllegalArgumentException("no job has this size");
    }
    if (executors > tasks) {
      throw new IllegalArgumentException(executors + " executors for " + tasks + " tasks");
    }
  }

  public int of(Term term) {
    return switch (term) {
      case FILES -> files;
      case PARTITIONS -> partitions;
      case TASKS -> tasks;
      case EXECUTORS -> executors;
      case SHARDS -> shards;
      case FILES_WITH_INTENTS -> isOneOperation() ? 0 : files;
    };
  }

  /** Whether the names of all files come with the decision, in one operation. */
  private boolean isOneOperation() {
    return partitions == 0 && shards == 0 && files <= BatchLimit.DEFAULT.names();
  }

  /**
   * The same but for one of its numbers.
   *
   * @param term one of {@link Term#SIZES}
   */
  public JobSize with(Term term, int number) {
    if (!Term.SIZES.contains(term)) {
      throw new IllegalArgumentException("the number of " + term.plural() + " follows from others");
    }
    return new JobSize(
        term == Term.FILES ? number : files,
        term == Term.PARTITIONS ? number : partitions,
        term == Term.TASKS ? number : tasks,
        term == Term.EXECUTORS ? number : executors,
        term == Term.SHARDS ? number : shards);
  }

  /** Its numbers, for people; what it has none of is left out. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Term term : Term.SIZES) {
      int number = of(term);
      if (number > 0) {
        text.append(text.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%,d ", number));
        text.append(number == 1 ? term.singular() : term.plural());
      }
    }
    return text.toString();
  }
}
