// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The results of a {@link ReadOp}, by the number of the step. Asking a step for a result of another
 * type is a programming error.
 */
public record ReadResult(List<StepResult> steps) {

  public ReadResult {
    steps = List.copyOf(steps);
  }

  /** The result of one step. */
  public sealed interface StepResult {}

  /** A guard that held. */
  public record Passed() implements StepResult {}

  /** Omap entries, in the order of their keys' UTF-8 bytes, and whether the range has more. */
  public record Omap(OmapEntries entries, boolean more) implements StepResult {}

  /** A count of bytes: read into the buffer, or the object's size. */
  public record Bytes(long count) implements StepResult {}

  /** A checksum. */
  public record Checksum(int crc32c) implements StepResult {}

  /** An xattr's value. */
  public record XattrValue(Optional<byte[]> value) implements StepResult {}

  /** Returns the entries as a new map. */
  public SortedMap<String, byte[]> omap(int step) {
    return entries(step).toMap();
  }

  /** Returns the entries in their packed form, for callers that read many. */
  public OmapEntries entries(int step) {
    return ((Omap) steps.get(step)).entries();
  }

  public boolean more(int step) {
    return ((Omap) steps.get(step)).more();
  }

  public long bytes(int step) {
    return ((Bytes) steps.get(step)).count();
  }

  public int crc32c(int step) {
    return ((Checksum) steps.get(step)).crc32c();
  }

  public Optional<byte[]> xattr(int step) {
    return ((XattrValue) steps.get(step)).value();
  }
}
