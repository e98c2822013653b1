// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.FollowUp;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The indexes that one call makes for a directory that has none. Each is opening at first: it does
 * not count as the directory's until the entry was seen after the index was made. Until then, or
 * until it is gone, it is in the ledger: the path may be a file's or nothing by then, and nothing
 * else would lead to the index.
 *
 * <p>For one call, and one thread.
 */
public final class MadeIndexes {

  private final IndexWriter writer;
  private final ProcessLedger ledger;
  private final FsPath directory;

  /** The changes that make them, by their lines in the ledger. */
  private final Map<String, IndexChange> made = new HashMap<>();

  public MadeIndexes(IndexWriter writer, ProcessLedger ledger, FsPath directory) {
    this.writer = writer;
    this.ledger = ledger;
    this.directory = directory;
  }

  /** A change that makes one more, not applied yet. One write, to the ledger. */
  public IndexChange begin() throws IOException {
    String line = ledger.beginIndex(directory);
    IndexChange creation = IndexChange.creating(directory, IndexHead.opening(line));
    made.put(line, creation);
    return creation;
  }

  /** Notes that they are the directory's, or are gone. No operation. */
  public void crossOut() {
    made.keySet().forEach(ledger::crossOut);
    made.clear();
  }

  /** Leaves those that are neither to the ledger: the call ends. No operation. */
  public void leave() {
    made.keySet().forEach(ledger::leave);
  }

  /**
   * Removes the indexes that nobody has changed since they were made, on an interrupted thread too.
   * Each is tried even if another fails. One whose outcome is unknown, or that others have changed,
   * stays in the ledger. One write for each.
   */
  public void takeBack() throws IOException {
    FirstFailure failure = new FirstFailure();
    made.forEach(
        (line, creation) ->
            failure.attempt(() -> FollowUp.evenIfInterrupted(() -> takeBack(line, creation))));
    failure.rethrow();
  }

  private void takeBack(String line, IndexChange creation) throws IOException {
    if (writer.applyUnseen(
        IndexChange.of(directory, IndexHead.opening(line))
            .expect(IndexKeys.CHANGE, creation.token().value().getBytes(UTF_8))
            .removeIndex())) {
      ledger.crossOut(line);
    }
  }
}
