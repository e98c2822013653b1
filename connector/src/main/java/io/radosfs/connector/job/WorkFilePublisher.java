// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Publishes a task's file in the job's record, which serves as its ledger, and nowhere else. One
 * write each to begin, to publish and to abandon.
 */
final class WorkFilePublisher implements FilePublisher {

  private final AttemptRecord record;
  private final TaskAttempt attempt;
  private final String relative;
  private final Attributes attributes;
  private final LongSupplier clock;
  private final Consumer<WorkFile> closed;

  /**
   * @param clock gives the file's modification time, in milliseconds since the epoch
   * @param closed told of the file once it is published
   */
  WorkFilePublisher(
      AttemptRecord record,
      TaskAttempt attempt,
      String relative,
      Attributes attributes,
      LongSupplier clock,
      Consumer<WorkFile> closed) {
    this.record = record;
    this.attempt = attempt;
    this.relative = relative;
    this.attributes = attributes;
    this.clock = clock;
    this.closed = closed;
  }

  /**
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted
   */
  @Override
  public void begin(FileData unfinished, int window) throws IOException {
    record.begin(WorkFile.open(attempt, relative, unfinished, window));
  }

  /**
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted
   */
  @Override
  public void publish(FileData finished, int crc32c) throws IOException {
    Attributes now = attributes.withModified(clock.getAsLong());
    WorkFile file = WorkFile.closed(attempt, relative, new Entry.OfFile(finished, crc32c, now));
    record.publish(file);
    closed.accept(file);
  }

  @Override
  public void abandon(FileData removed) throws IOException {
    boolean unused = record.forget(List.of(WorkFile.open(attempt, relative, removed, 0)));
  }
}
