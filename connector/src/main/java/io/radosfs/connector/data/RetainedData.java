// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retained data: the data of replaced files, kept for readers that have them open. No index refers
 * to these files, or ever will again. {@value #OBJECTS} objects list them ({@link
 * ObjectNames#replaced}), ordered by the time until which they are kept; several, so that not all
 * clients write to one.
 *
 * <p>Data of a removed directory that could not be deleted with it is listed here too, as due
 * {@linkplain DeferredDeletion#AT_ONCE at once}: else its index would stay, and nobody could make a
 * directory at the path again. Only a collection that somebody asks for tries to delete it again;
 * those in the background begin after such lines, however many there are.
 *
 * <p>A file is listed here before the index forgets that it is to be deleted. Its line is removed
 * after its objects. So something leads to the file at every instant, and anyone can repeat each
 * step. A file may be listed twice. Clocks alone decide when it is removed.
 *
 * <p>Thread-safe.
 */
public final class RetainedData {

  /** The number of objects that hold the list. */
  public static final int OBJECTS = 16;

  /** Sorts after the lines of what is due at once, and before those of all later times. */
  private static final String AFTER_AT_ONCE = time(DeferredDeletion.AT_ONCE + 1);

  private static final Logger LOG = LoggerFactory.getLogger(RetainedData.class);

  /** Runs a collection when it is due, if the process lives that long. */
  @FunctionalInterface
  public interface Later {

    /** For clients that leave it to others. */
    Later NEVER = (time, collection) -> {};

    /**
     * Runs the collection of this list at the given time (milliseconds since the epoch) or later,
     * and passes the current time to it. One run at the latest time may serve several calls whose
     * times are near each other; there may be other runs too. Returns at once.
     */
    void at(long time, LongConsumer collection);
  }

  private final ObjectStore index;
  private final DataRemover remover;
  private final Later later;

  /**
   * @param index the store of the directory indexes
   */
  public RetainedData(ObjectStore index, DataRemover remover, Later later) {
    this.index = index;
    this.remover = remover;
    this.later = later;
  }

  /** Lists files. One write for each {@value ReadOp#MAX_RANGE} files. */
  public void keep(List<DeferredDeletion.OfFile> files) throws IOException {
    for (int from = 0; from < files.size(); from += ReadOp.MAX_RANGE) {
      keepSome(files.subList(from, Math.min(files.size(), from + ReadOp.MAX_RANGE)));
    }
  }

  private void keepSome(List<DeferredDeletion.OfFile> files) throws IOException {
    Map<String, byte[]> lines = new HashMap<>();
    long last = 0;
    for (DeferredDeletion.OfFile file : files) {
      lines.put(key(file.until(), file.uid().value()), file.encode());
      last = Math.max(last, file.until());
    }
    WriteOp op = WriteOp.builder().evenIfFull().createIfMissing().setOmap(lines).build();
    String object = ObjectNames.replaced(objectOf(files.get(0).uid()));
    RepeatableOps.repeat(() -> index.write(object, op));
    if (last > DeferredDeletion.AT_ONCE) {
      later.at(last, this::collectQuietly);
    }
  }

  /**
   * Lists what was listed for deletion elsewhere and cannot be read, so that a person finds it: as
   * due at once, and otherwise as it was. One write.
   *
   * @param lines at most {@value ReadOp#MAX_RANGE}; the keys are uids, unless they are damaged too
   */
  public void keepUnreadable(Map<String, byte[]> lines) throws IOException {
    Map<String, byte[]> kept = new HashMap<>();
    lines.forEach((uid, line) -> kept.put(key(DeferredDeletion.AT_ONCE, uid), line));
    WriteOp op = WriteOp.builder().evenIfFull().createIfMissing().setOmap(kept).build();
    RepeatableOps.repeat(() -> index.write(ObjectNames.replaced(0), op));
  }

  /** Of the first of several files; uids are random, so any digit of one spreads them evenly. */
  private static int objectOf(Uid uid) {
    return Character.digit(uid.value().charAt(0), OBJECTS);
  }

  /** Collects later what another connection of this process has listed until this time. */
  public void resume(long until) {
    later.at(until, this::collectQuietly);
  }

  /** Keys sort by time, whatever its number of digits. */
  private static String key(long until, String uid) {
    return time(until) + "/" + uid;
  }

  private static String time(long until) {
    return String.format(Locale.ROOT, "%019d", until);
  }

  /** Reads all files listed. One read for each object, and more for long lists. */
  public void list(Consumer<DeferredDeletion.OfFile> reader) throws IOException {
    list(reader, Failures.END);
  }

  /**
   * Whether a file is listed. Ignores lines that cannot be read. Up to as many reads as {@link
   * #list}.
   */
  public boolean has(Uid uid) throws IOException {
    boolean[] found = new boolean[1];
    for (int k = 0; k < OBJECTS && !found[0]; k++) {
      list(k, file -> found[0] |= file.uid().equals(uid), (line, unreadable) -> {});
    }
    return found[0];
  }

  /**
   * The same as {@link #list(Consumer)}, but goes on after failures.
   *
   * @param failures gets what cannot be read
   */
  public void list(Consumer<DeferredDeletion.OfFile> reader, Failures failures) throws IOException {
    for (int k = 0; k < OBJECTS; k++) {
      int object = k;
      boolean unused =
          failures.attempt(ObjectNames.replaced(k), () -> list(object, reader, failures));
    }
  }

  private void list(int k, Consumer<DeferredDeletion.OfFile> reader, Failures failures)
      throws IOException {
    String after = "";
    boolean more = true;
    while (more) {
      Optional<ReadResult> page = read(k, after);
      files(k, page, failures).values().forEach(reader);
      more = page.isPresent() && page.get().more(0);
      after = more ? page.get().omap(0).lastKey() : after;
    }
  }

  /**
   * Removes the files that were kept until {@code now} or an earlier time. One read for each
   * object, and one write if it lists such files, beside the removal of the data.
   *
   * <p>A file that cannot be removed, or a line that cannot be read, stays listed and does not keep
   * the others from being removed.
   *
   * @param now milliseconds since the epoch
   * @param removed called with each file removed
   * @param failures gets the failures
   */
  public void collect(long now, Consumer<DeferredDeletion.OfFile> removed, Failures failures)
      throws IOException {
    collect("", now, removed, failures);
  }

  /** The same as {@link #collect(long, Consumer, Failures)}, but throws the first failure. */
  public void collect(long now, Consumer<DeferredDeletion.OfFile> removed) throws IOException {
    FirstFailure failure = new FirstFailure();
    collect("", now, removed, (subject, thrown) -> failure.add(thrown));
    failure.rethrow();
  }

  private void collect(
      String begin, long now, Consumer<DeferredDeletion.OfFile> removed, Failures failures)
      throws IOException {
    for (int k = 0; k < OBJECTS; k++) {
      int object = k;
      boolean unused =
          failures.attempt(
              ObjectNames.replaced(k), () -> collect(object, begin, now, removed, failures));
    }
  }

  private void collect(
      int k, String begin, long now, Consumer<DeferredDeletion.OfFile> removed, Failures failures)
      throws IOException {
    String after = begin;
    boolean more = true;
    while (more) {
      Optional<ReadResult> page = read(k, after);
      SortedMap<String, DeferredDeletion.OfFile> files = files(k, page, failures);
      SortedMap<String, DeferredDeletion.OfFile> due = new TreeMap<>(files);
      due.values().removeIf(file -> file.until() > now);
      remove(k, due, removed, failures);
      more = page.isPresent() && page.get().more(0) && due.size() == files.size();
      after = more ? page.get().omap(0).lastKey() : after;
    }
  }

  private void remove(
      int k,
      SortedMap<String, DeferredDeletion.OfFile> due,
      Consumer<DeferredDeletion.OfFile> removed,
      Failures failures)
      throws IOException {
    if (due.isEmpty()) {
      return;
    }
    Map<FileData, List<String>> lines = new HashMap<>();
    due.forEach(
        (key, file) ->
            lines.computeIfAbsent(file.file().data(), any -> new ArrayList<>()).add(key));
    Set<String> gone = new TreeSet<>();
    String object = ObjectNames.replaced(k);
    boolean unused =
        failures.attempt(
            object,
            () ->
                remover.removeAll(lines.keySet().iterator(), file -> gone.addAll(lines.get(file))));
    if (!gone.isEmpty()) {
      WriteOp op = WriteOp.builder().assertExists().removeOmap(gone).build();
      boolean forgotten =
          failures.attempt(
              object,
              () -> {
                RepeatableOps.repeat(() -> index.write(object, op));
                gone.forEach(key -> removed.accept(due.get(key)));
              });
    }
  }

  private void collectQuietly(long now) {
    FirstFailure failure = new FirstFailure();
    try {
      collect(
          AFTER_AT_ONCE,
          now,
          file -> LOG.debug("removed the data of {}, which was replaced", file),
          (subject, thrown) -> failure.add(thrown));
      failure.rethrow();
    } catch (InterruptedIOException e) {
      LOG.debug("The process ends; the next one goes on with data of replaced files", e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Data of replaced files could not be removed; radosfs gc will", e);
    }
  }

  private Optional<ReadResult> read(int k, String after) throws IOException {
    ReadOp op = ReadOp.builder().omapRange(after, "", ReadOp.MAX_RANGE).build();
    return Reads.find(index, ObjectNames.replaced(k), op);
  }

  private static SortedMap<String, DeferredDeletion.OfFile> files(
      int k, Optional<ReadResult> page, Failures failures) throws IOException {
    SortedMap<String, DeferredDeletion.OfFile> files = new TreeMap<>();
    if (page.isPresent()) {
      for (Map.Entry<String, byte[]> line : page.get().omap(0).entrySet()) {
        boolean unused =
            failures.attempt(
                line.getKey(),
                () -> files.put(line.getKey(), decode(k, line.getKey(), line.getValue())));
      }
    }
    return files;
  }

  /** Decodes a line of one of the objects. */
  public static DeferredDeletion.OfFile decode(int k, String key, byte[] stored)
      throws LayoutException {
    String object = ObjectNames.replaced(k);
    if (DeferredDeletion.decode(object, key, stored) instanceof DeferredDeletion.OfFile file) {
      return file;
    }
    throw new LayoutException(
        "omap key '" + key + "' of RADOS object '" + object + "' is not a replaced file");
  }
}
