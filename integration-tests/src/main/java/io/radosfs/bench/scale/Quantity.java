// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Something that a job takes, and that a model tells. */
public enum Quantity {
  OPERATIONS("operations at the OSDs", "operations", JobCost::operations, Terms.SIZES, Terms.SIZES),
  OF_TASKS(
      "operations on the job's record by its tasks",
      "operations",
      JobCost::ofTasks,
      Terms.SIZES,
      Set.of(Term.FILES)),
  BYTES("bytes of data at the OSDs", "bytes", JobCost::bytesWritten, Terms.SIZES, Set.of()),
  OMAP_BYTES(
      "bytes of omap keys and values",
      "bytes",
      JobCost::omapBytes,
      EnumSet.allOf(Term.class),
      Set.of(Term.FILES)),
  INDEX_OBJECTS(
      "index objects",
      "objects",
      JobCost::indexObjects,
      Terms.SIZES,
      Set.of(Term.PARTITIONS, Term.SHARDS)),
  COMMIT_SECONDS(
      "seconds of commitJob",
      "s",
      JobCost::commitSeconds,
      EnumSet.of(Term.FILES, Term.PARTITIONS, Term.TASKS, Term.SHARDS),
      Set.of(Term.FILES, Term.PARTITIONS));

  private final String title;
  private final String unit;
  private final ToDoubleFunction<JobCost> value;
  private final Set<Term> terms;
  private final Set<Term> drawnBy;

  private static final class Terms {
    /** Intents take no operations of their own: those of a directory are in one. */
    static final Set<Term> SIZES = Set.copyOf(Term.SIZES);
  }

  Quantity(
      String title,
      String unit,
      ToDoubleFunction<JobCost> value,
      Set<Term> terms,
      Set<Term> drawnBy) {
    this.title = title;
    this.unit = unit;
    this.value = value;
    this.terms = Set.copyOf(terms);
    this.drawnBy = Set.copyOf(drawnBy);
  }

  public String title() {
    return title;
  }

  public String unit() {
    return unit;
  }

  public double of(JobCost cost) {
    return value.applyAsDouble(cost);
  }

  /** What it may grow with. */
  public Set<Term> terms() {
    return terms;
  }

  /** The terms that have a plot of it. */
  public Set<Term> drawnBy() {
    return drawnBy;
  }

  /** Whether it is the same each time, so that a model that is right is near to every point. */
  public boolean isCounted() {
    return this != COMMIT_SECONDS;
  }
}
