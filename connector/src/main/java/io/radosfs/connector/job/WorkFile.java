// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.StoredText;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of a task in the job's record, which is the ledger of the job's files. It is there from
 * before its first byte until the attempt is committed or aborted.
 *
 * <p>Stored under {@code w/<task>/<attempt>/<relative path>//<uid>}: {@code open 1 window=8
 * stripe=4194304} (with {@code pool=} outside the default data pool) while it is written, and in
 * the form of {@link EntryCodec} once it is closed. With {@code removed } before that, the attempt
 * has deleted it again: it is not there any more, but objects of it may be.
 *
 * @param attempt that writes it
 * @param relative its path, in the form of {@link JobPaths}
 * @param data where its bytes are; while it is open, the length is 0, or how far a clean-up has
 *     seen it reach, and the name of the first stripe is not known
 * @param window of an open file, see {@link io.radosfs.connector.data.FilePublisher#begin}; else 0
 * @param closed its entry once it is closed
 * @param removed whether it was deleted since
 */
public record WorkFile(
    TaskAttempt attempt,
    String relative,
    FileData data,
    int window,
    Optional<Entry.OfFile> closed,
    boolean removed) {

  private static final byte[] REMOVED = "removed ".getBytes(StandardCharsets.UTF_8);

  private static final Pattern OPEN =
      Pattern.compile("open 1 window=(\\d{1,6}) stripe=(\\d{1,9})(?: pool=(.+))?");

  static WorkFile open(TaskAttempt attempt, String relative, FileData data, int window) {
    return new WorkFile(attempt, relative, data, window, Optional.empty(), false);
  }

  static WorkFile closed(TaskAttempt attempt, String relative, Entry.OfFile entry) {
    return new WorkFile(attempt, relative, entry.data(), 0, Optional.of(entry), false);
  }

  public boolean isOpen() {
    return closed.isEmpty();
  }

  /** Whether the attempt can commit it. */
  public boolean isThere() {
    return closed.isPresent() && !removed;
  }

  WorkFile asRemoved() {
    return new WorkFile(attempt, relative, data, window, closed, true);
  }

  /** With how far the file was seen to reach, if it is open. */
  WorkFile reaching(Map<Uid, SeenStripe> seen) {
    return isOpen() && seen.containsKey(data.uid())
        ? open(attempt, relative, data.reaching(seen.get(data.uid()).stripe()), window)
        : this;
  }

  /** The key in the job's record. */
  public String key() {
    return RecordKeys.workFile(attempt, relative, data.uid());
  }

  byte[] encode() {
    if (closed.isPresent()) {
      byte[] entry = EntryCodec.encode(data.origin(), closed.get());
      if (!removed) {
        return entry;
      }
      byte[] all = Arrays.copyOf(REMOVED, REMOVED.length + entry.length);
      System.arraycopy(entry, 0, all, REMOVED.length, entry.length);
      return all;
    }
    String text =
        "open 1 window="
            + window
            + " stripe="
            + data.objectSize()
            + data.pool().map(pool -> " pool=" + pool).orElse("");
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static WorkFile decode(String object, FsPath destination, String key, byte[] stored)
      throws LayoutException {
    try {
      String[] parts = key.substring(RecordKeys.WORK_PREFIX.length()).split("/", 3);
      TaskAttempt attempt = new TaskAttempt(parts[0], parts[1]);
      int end = parts[2].lastIndexOf("//");
      String relative = parts[2].substring(0, end);
      Uid uid = new Uid(parts[2].substring(end + 2));
      FsPath path = JobPaths.resolve(destination, relative);
      String text = new String(stored, StandardCharsets.UTF_8);
      Matcher open = OPEN.matcher(text);
      if (open.matches()) {
        FileData data =
            new FileData(
                path,
                uid,
                true,
                0,
                Integer.parseInt(open.group(2)),
                Optional.ofNullable(open.group(3)));
        int window = Integer.parseInt(open.group(1));
        return open(attempt, relative, data, new LedgerEntry.UnfinishedFile(data, window).window());
      }
      boolean removed = text.startsWith(new String(REMOVED, StandardCharsets.UTF_8));
      byte[] entry = removed ? Arrays.copyOfRange(stored, REMOVED.length, stored.length) : stored;
      if (EntryCodec.decode(path, entry) instanceof Entry.OfFile file && file.uid().equals(uid)) {
        WorkFile whole = closed(attempt, relative, file);
        return removed ? whole.asRemoved() : whole;
      }
      throw garbage(object, key, text, null);
    } catch (IOException | RuntimeException e) {
      if (e instanceof LayoutException layout && layout.getMessage().contains(object)) {
        throw layout;
      }
      throw garbage(object, key, new String(stored, StandardCharsets.UTF_8), e);
    }
  }

  private static LayoutException garbage(String object, String key, String text, Exception cause) {
    return new LayoutException(
        "cannot read the task file under key '"
            + key
            + "' of the job record '"
            + object
            + "': '"
            + StoredText.shown(text)
            + "'. It was written by a newer radosfs, or damaged; nothing was changed",
        cause);
  }
}
