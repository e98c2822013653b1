// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import java.util.Iterator;

/** Iterators for the tasks of test jobs. */
public final class Rows {

  private Rows() {}

  /** What a task does once it has handed out its rows. */
  public interface Act {
    void run() throws Exception;
  }

  /** The rows, and at their end something that may fail. */
  public static <T> Iterator<T> then(Iterator<T> rows, Act act) {
    return new Iterator<>() {
      private boolean acted;

      @Override
      public boolean hasNext() {
        if (rows.hasNext()) {
          return true;
        }
        if (!acted) {
          acted = true;
          try {
            act.run();
          } catch (RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        }
        return false;
      }

      @Override
      public T next() {
        return rows.next();
      }
    };
  }
}
