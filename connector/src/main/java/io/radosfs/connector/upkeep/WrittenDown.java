// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.job.ManifestSizes;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Lead;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Reads the references that are not in the index: those in the ledgers of processes and in the
 * records of jobs. {@link Leads} says in which order.
 */
final class WrittenDown {

  private final PoolView index;

  /** Takes the references. */
  interface Taker {
    /** Just this object of the index pool, such as a shard that is being made. */
    void object(String name) throws IOException;

    /** All objects of a file that is not finished, if there are any, by the uid in their names. */
    void unfinished(FileData data) throws IOException;

    /** The same for a file of which only the uid is known. */
    void mentioned(Uid file) throws IOException;

    /** The index of a directory, and all that it leads to. */
    void directory(FsPath directory) throws IOException;

    /** A line or object cannot be read. */
    void unreadable(String subject, IOException why) throws IOException;

    /** Something is unfinished, which is not wrong. */
    void note(String text);
  }

  /**
   * @param index the pool of the index
   */
  WrittenDown(PoolView index) {
    this.index = index;
  }

  /** Reads the ledgers of all processes. One read for the list, and one or more for each. */
  void processes(Taker taker) throws IOException {
    taker.object(ObjectNames.LEDGERS);
    for (Map.Entry<String, byte[]> line : omap(ObjectNames.LEDGERS).entrySet()) {
      if (!line.getKey().startsWith(IndexKeys.REMOVED_JOB_PREFIX)) {
        attempt(
            ObjectNames.LEDGERS,
            taker,
            () -> {
              String ledger = Ledgers.line(line.getKey(), line.getValue()).object();
              attempt(ledger, taker, () -> process(ledger, taker));
            });
      }
    }
  }

  private void process(String object, Taker taker) throws IOException {
    taker.object(object);
    Ledgers.Ledger ledger = Ledgers.decode(object, omap(object));
    for (IOException line : ledger.unreadable()) {
      taker.unreadable(object, line);
    }
    for (LedgerEntry entry : ledger.open().values()) {
      entry(entry, taker);
    }
    for (LedgerEntry entry : ledger.removed().values()) {
      entry(entry, taker);
    }
    if (!ledger.open().isEmpty()) {
      taker.note(
          "ledger "
              + object
              + " has "
              + ledger.open().size()
              + " entries: files being written, or left by a process that crashed");
    }
  }

  private static void entry(LedgerEntry entry, Taker taker) throws IOException {
    if (entry instanceof LedgerEntry.OfFile file) {
      taker.unfinished(file.data());
    } else if (entry instanceof LedgerEntry.NewShards made) {
      for (IndexObject shard : made.shards().of(made.directory())) {
        taker.object(shard.name());
      }
    } else {
      taker.directory(((LedgerEntry.NewIndex) entry).directory());
    }
  }

  /** Reads the records of jobs whose destination was removed. A read, then as {@link #job}. */
  void removedJobs(Taker taker) throws IOException {
    for (Map.Entry<String, byte[]> line : omap(ObjectNames.LEDGERS).entrySet()) {
      if (line.getKey().startsWith(IndexKeys.REMOVED_JOB_PREFIX)) {
        attempt(
            ObjectNames.LEDGERS,
            taker,
            () -> {
              String record = RemovedJobs.decode(line.getKey(), line.getValue()).owner();
              attempt(record, taker, () -> job(record, taker));
            });
      }
    }
  }

  /**
   * Reads the record of a job. One operation moves a task's files to its manifest, and manifests
   * are read first. So a record that takes several reads is read twice. One read, and one more for
   * each 512 lines, or two; more if a manifest is large: no read takes more of them than {@link
   * ManifestSizes} allows.
   */
  void job(String record, Taker taker) throws IOException {
    taker.object(record);
    Optional<PoolView.Values> sizes = index.find(record, ManifestSizes.keys(), ManifestSizes.XATTR);
    if (sizes.isEmpty()) {
      return;
    }
    ToIntFunction<String> page =
        after -> ManifestSizes.linesAtOnce(sizes.get().xattr(), sizes.get().omap(), after);
    taker.note("job record " + record + " is there: the job runs, or waits to be recovered");
    if (mentioned(record, page, taker) > page.applyAsInt("")) {
      int unused = mentioned(record, page, taker);
    }
  }

  /** Returns the number of lines. */
  private int mentioned(String record, ToIntFunction<String> page, Taker taker) throws IOException {
    int[] lines = new int[1];
    index.omap(
        record,
        page,
        (key, value) -> {
          lines[0]++;
          for (Uid uid : Lead.mentioned(key, value)) {
            taker.mentioned(uid);
          }
        });
    return lines[0];
  }

  private SortedMap<String, byte[]> omap(String object) throws IOException {
    SortedMap<String, byte[]> omap = new TreeMap<>();
    index.omap(object, omap::put);
    return omap;
  }

  private static void attempt(String subject, Taker taker, InvocationRaisingIOE tried)
      throws IOException {
    Failures failures = taker::unreadable;
    boolean unused = failures.attempt(subject, tried);
  }
}
