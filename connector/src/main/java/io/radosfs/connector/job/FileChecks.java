// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.PathIOException;

/**
 * Checks that the objects of closed files match their entries. Several reads are under way at a
 * time; their results are compared in order.
 */
final class FileChecks {

  /** Small reads under way at a time. */
  private static final int SMALL = 64;

  /** Reads of whole stripes, each with its buffer. */
  private static final int LARGE = 4;

  private final DataStores stores;
  private final boolean content;
  private final Deque<Check> underWay = new ArrayDeque<>();

  /** Checksum of the file whose stripes are being compared. */
  private final CRC32C checksum = new CRC32C();

  private FileChecks(DataStores stores, boolean content) {
    this.stores = stores;
    this.content = content;
  }

  /** One stripe that is being read. */
  private record Check(
      Entry.OfFile file,
      int stripe,
      ObjectStore store,
      ReadOp op,
      ByteBuffer buffer,
      CompletableFuture<ReadResult> answer) {

    FileData data() {
      return file.data();
    }

    String object() {
      return data().stripe(stripe);
    }

    boolean isLast() {
      return stripe == data().stripes() - 1;
    }

    long size() {
      return isLast() ? data().length() - (long) stripe * data().objectSize() : data().objectSize();
    }

    PathIOException wrong(String what) {
      return new PathIOException(
          data().origin().toString(), "its RADOS object '" + object() + "' " + what);
    }
  }

  /**
   * @param content whether to read everything and compare checksums
   */
  static void run(DataStores stores, Collection<Entry.OfFile> files, boolean content)
      throws IOException {
    FileChecks checks = new FileChecks(stores, content);
    try {
      for (Entry.OfFile file : files) {
        int last = file.data().stripes() - 1;
        for (int k = 0; k <= last; k += content || k == last ? 1 : last) {
          checks.begin(file, k);
        }
      }
      checks.drainTo(0);
    } finally {
      // Keep each buffer while a read may still write to it.
      checks.underWay.forEach(check -> check.answer().exceptionally(any -> null).join());
    }
  }

  private void begin(Entry.OfFile file, int stripe) throws IOException {
    drainTo((content ? LARGE : SMALL) - 1);
    ObjectStore store = stores.of(file.data());
    ReadOp.Builder op = ReadOp.builder().size();
    ByteBuffer buffer = null;
    if (stripe == 0) {
      op.xattr(FileData.UID_XATTR);
    }
    if (content) {
      buffer = ByteBuffer.allocate((int) Math.min(file.data().length(), file.data().objectSize()));
      op.data(0, buffer);
    }
    ReadOp read = op.build();
    String object = file.data().stripe(stripe);
    underWay.add(new Check(file, stripe, store, read, buffer, store.readAsync(object, read)));
  }

  private void drainTo(int rest) throws IOException {
    while (underWay.size() > rest) {
      Check check = underWay.peek();
      ReadResult result = answer(check);
      underWay.remove();
      compare(check, result);
    }
  }

  private static ReadResult answer(Check check) throws IOException {
    try {
      return check.answer().join();
    } catch (CompletionException e) {
      // The failure may be transient: read again, with the retries of all reads.
      try {
        return Reads.read(check.store(), check.object(), check.op());
      } catch (StoreException failure) {
        throw failure.is(Kind.NOT_FOUND) ? check.wrong("is not there") : failure;
      }
    }
  }

  private void compare(Check check, ReadResult result) throws IOException {
    if (result.bytes(0) != check.size()) {
      throw check.wrong("holds " + result.bytes(0) + " bytes, not " + check.size());
    }
    if (check.stripe() == 0) {
      String uid =
          result.xattr(1).map(value -> new String(value, StandardCharsets.UTF_8)).orElse("none");
      if (!check.file().uid().value().equals(uid)) {
        throw check.wrong("is of another file: its uid is " + uid + ", not " + check.file().uid());
      }
    }
    if (content) {
      compareContent(check);
    }
  }

  private void compareContent(Check check) throws IOException {
    if (check.stripe() == 0) {
      checksum.reset();
    }
    checksum.update(check.buffer().array(), 0, (int) check.size());
    if (check.isLast() && (int) checksum.getValue() != check.file().crc32c()) {
      throw check.wrong(
          String.format(
              "or one before it holds other data than was written: CRC-32C %08x, not %08x",
              (int) checksum.getValue(), check.file().crc32c()));
    }
  }
}
