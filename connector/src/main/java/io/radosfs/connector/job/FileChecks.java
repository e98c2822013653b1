// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.data.FileComparison;
import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.PathIOException;

/**
 * Checks that the objects of closed files match their entries ({@link FileComparison}). Several
 * reads are under way at a time; their results are compared in order. No data crosses the network.
 */
final class FileChecks {

  /** Reads under way at a time. */
  private static final int SMALL = 64;

  /** Reads under way at a time for which OSDs read whole stripes. */
  private static final int LARGE = 16;

  private final DataStores stores;
  private final boolean content;
  private final Deque<Check> underWay = new ArrayDeque<>();

  private FileChecks(DataStores stores, boolean content) {
    this.stores = stores;
    this.content = content;
  }

  /** One stripe that is being looked at; the comparison is that of its file. */
  private record Check(
      FileData data,
      FileComparison comparison,
      int stripe,
      ObjectStore store,
      ReadOp op,
      CompletableFuture<ReadResult> answer) {

    String object() {
      return data().stripe(stripe);
    }

    boolean isLast() {
      return stripe == data().stripes() - 1;
    }

    PathIOException wrong(FileComparison.Difference difference) {
      return new PathIOException(
          data().origin().toString(),
          "its RADOS object '"
              + difference.object()
              + "' "
              + difference.text()
              + " (fs.rados.committer.validate). Nothing was made visible: run the job again, and"
              + " find out what else removes or changes objects of this pool");
    }
  }

  /**
   * @param content whether OSDs are to read everything and take checksums
   */
  static void run(DataStores stores, Collection<Entry.OfFile> files, boolean content)
      throws IOException {
    FileChecks checks = new FileChecks(stores, content);
    for (Entry.OfFile file : files) {
      FileComparison comparison = new FileComparison(file);
      int last = file.data().stripes() - 1;
      for (int k = 0; k <= last; k += content || k == last ? 1 : last) {
        checks.begin(file.data(), comparison, k);
      }
    }
    checks.drainTo(0);
  }

  private void begin(FileData data, FileComparison comparison, int stripe) throws IOException {
    drainTo((content ? LARGE : SMALL) - 1);
    ObjectStore store = stores.of(data);
    ReadOp op = StoredStripe.read(content);
    underWay.add(
        new Check(data, comparison, stripe, store, op, store.readAsync(data.stripe(stripe), op)));
  }

  private void drainTo(int rest) throws IOException {
    while (underWay.size() > rest) {
      Check check = underWay.remove();
      Optional<FileComparison.Difference> difference =
          check.comparison().stripe(check.stripe(), answer(check).map(StoredStripe::of));
      if (difference.isEmpty() && check.isLast()) {
        difference = check.comparison().whole();
      }
      if (difference.isPresent()) {
        throw check.wrong(difference.get());
      }
    }
  }

  private static Optional<ReadResult> answer(Check check) throws IOException {
    try {
      return Optional.of(check.answer().join());
    } catch (CompletionException e) {
      // The failure may be transient: read again, with the retries of all reads.
      return Reads.find(check.store(), check.object(), check.op());
    }
  }
}
