// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import java.util.function.Supplier;

/**
 * What an operation does, in words. They are for the log of a run that fails, and for fault plans
 * that ask: most are never read, and finding them for all took a tenth of the simulation's time. So
 * they are found when they are asked for. Those of an operation with a buffer are found at once, as
 * its caller may use that for something else, and so are those of a large one, which the log would
 * keep whole. Each operation is looked at for that, so it is done without streams. Thread-safe.
 */
final class Words {

  /** What the words for a read begin with that another copy than the primary's may answer. */
  static final String ANY_COPY = "any copy:";

  private static final int FEW = 32;

  private Supplier<String> source;
  private String found;

  private Words(Supplier<String> source) {
    this.source = source;
  }

  static Words of(WriteOp op) {
    Words words = new Words(() -> Steps.summary(op));
    for (WriteOp.Step step : op.steps()) {
      if (!canWait(step)) {
        return words.find();
      }
    }
    return words;
  }

  static Words of(ReadOp op) {
    Words words = new Words(() -> Steps.summary(op));
    for (ReadOp.Step step : op.steps()) {
      if (!canWait(step)) {
        return words.find();
      }
    }
    return words;
  }

  private static boolean canWait(WriteOp.Step step) {
    if (step instanceof WriteOp.SetOmap set) {
      return set.entries().size() <= FEW;
    } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
      return remove.keys().size() <= FEW;
    }
    return !(step instanceof WriteOp.WriteFull);
  }

  private static boolean canWait(ReadOp.Step step) {
    if (step instanceof ReadOp.OmapByKeys byKeys) {
      return byKeys.keys().size() <= FEW;
    }
    return !(step instanceof ReadOp.Data);
  }

  static Words of(String text) {
    return new Words(() -> text);
  }

  private synchronized Words find() {
    if (found == null) {
      found = source.get();
      source = null;
    }
    return this;
  }

  @Override
  public synchronized String toString() {
    return find().found;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Words that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
