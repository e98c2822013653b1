// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What came of a client's program.
 *
 * @param program the client's name
 * @param value what the program returned
 * @param failure what it threw, if it did
 * @param crashed whether its client died, whatever the program made of that
 */
public record Outcome(String program, Object value, Throwable failure, boolean crashed) {

  /** It ended as it should: whatever it promises must hold. */
  public boolean succeeded() {
    return !crashed && failure == null;
  }

  /** It told its caller of a failure. */
  public boolean failed() {
    return !crashed && failure != null;
  }

  /** What the program returned; null if it did not get that far. */
  public <T> T value(Class<T> type) {
    return type.cast(value);
  }

  /** A failure that no I/O trouble explains. */
  boolean isBug() {
    return failed()
        && !(failure instanceof IOException)
        && !(failure instanceof UncheckedIOException);
  }

  @Override
  public String toString() {
    return program + (crashed ? " died" : failure == null ? " succeeded" : " failed: " + failure);
  }
}
