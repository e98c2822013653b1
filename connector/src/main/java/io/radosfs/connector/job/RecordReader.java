// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a whole job record, in pages. One read takes a page of each kind of key. Only manifests
 * after their first page are read later, when the rest is known.
 */
final class RecordReader {

  /** How a record's object is read. */
  interface Reader {
    ReadResult read(ReadOp op) throws IOException;
  }

  /** Takes one omap entry. */
  private interface Sink {
    void accept(String key, byte[] value) throws IOException;
  }

  /** The keys of one kind, and how far they have been read. */
  private static final class Range {
    final String prefix;
    final int page;
    final Sink sink;
    String after = "";

    Range(String prefix, int page, Sink sink) {
      this.prefix = prefix;
      this.page = page;
      this.sink = sink;
    }
  }

  private final String object;
  private final FsPath destination;
  private final String jobId;
  private final Reader reader;

  RecordReader(String object, FsPath destination, String jobId, Reader reader) {
    this.object = object;
    this.destination = destination;
    this.jobId = jobId;
    this.reader = reader;
  }

  Optional<JobRecord.Contents> read(JobRecord.ManifestTaker taker) throws IOException {
    SortedMap<String, byte[]> head = new TreeMap<>();
    SortedMap<String, byte[]> plan = new TreeMap<>();
    Set<TaskAttempt> aborted = new TreeSet<>();
    List<WorkFile> files = new ArrayList<>();
    Map<Uid, SeenStripe> seen = new HashMap<>();
    List<Range> ranges =
        List.of(
            new Range(
                RecordKeys.PLAN_PREFIX,
                JobRecord.PLAN_PAGE,
                (key, value) -> plan.put(key.substring(RecordKeys.PLAN_PREFIX.length()), value)),
            new Range(
                RecordKeys.ABORTED_PREFIX,
                JobRecord.PAGE,
                (key, value) -> aborted.add(attempt(object, key, RecordKeys.ABORTED_PREFIX))),
            new Range(
                RecordKeys.WORK_PREFIX,
                JobRecord.PAGE,
                (key, value) -> files.add(WorkFile.decode(object, destination, key, value))),
            new Range(
                RecordKeys.SEEN_PREFIX,
                JobRecord.PAGE,
                (key, value) -> {
                  SeenStripe stripe = SeenStripe.ofKey(object, key);
                  seen.put(stripe.file(), stripe); // the last one is the highest
                }));
    ManifestPages manifests = new ManifestPages(object, reader);
    try {
      ranges = first(ranges, head, manifests);
      while (!ranges.isEmpty()) {
        ranges = page(ranges, head, Optional.empty());
      }
      files.replaceAll(file -> file.reaching(seen));
      JobRecord.Head decoded = head(object, head);
      if (decoded.state().isEmpty() && plan.isEmpty() && aborted.isEmpty() && files.isEmpty()) {
        return Optional.empty();
      }
      JobRecord.Contents contents =
          new JobRecord.Contents(
              decoded.state().orElseThrow(() -> missing(object, RecordKeys.STATE)),
              info(decoded),
              decoded.lastHeartbeat(),
              plan,
              aborted,
              files);
      manifests.readAll(taker.of(contents));
      return Optional.of(contents);
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** A job that was decided when it had only been noticed has no information in its record. */
  private JobInfo info(JobRecord.Head decoded) throws LayoutException {
    if (decoded.info().isEmpty() && decoded.isDecided()) {
      return JobInfo.unknown(jobId, decoded.lastHeartbeat());
    }
    return decoded.info().orElseThrow(() -> missing(object, RecordKeys.INFO));
  }

  /** Reads the first page of all, the manifests among them unless some are large. */
  private List<Range> first(
      List<Range> ranges, SortedMap<String, byte[]> head, ManifestPages manifests)
      throws IOException {
    try {
      return page(ranges, head, Optional.of(manifests));
    } catch (StoreException e) {
      manifests.refused(e);
      return page(ranges, head, Optional.empty());
    }
  }

  /** Reads a page of each range; returns the ranges that go on. */
  private List<Range> page(
      List<Range> ranges, SortedMap<String, byte[]> head, Optional<ManifestPages> manifests)
      throws IOException {
    ReadOp.Builder op = ReadOp.builder().omapByKeys(RecordKeys.ofHead());
    for (Range range : ranges) {
      op.omapRange(range.after, range.prefix, range.page);
    }
    manifests.ifPresent(pages -> pages.askForFirst(op));
    ReadResult result = reader.read(op.build());
    head.putAll(result.omap(0));
    manifests.ifPresent(pages -> pages.take(result, ranges.size() + 2));
    List<Range> unfinished = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      Range range = ranges.get(i);
      for (Map.Entry<String, byte[]> entry : result.omap(i + 1).entrySet()) {
        range.sink.accept(entry.getKey(), entry.getValue());
        range.after = entry.getKey();
      }
      if (result.more(i + 1)) {
        unfinished.add(range);
      }
    }
    return unfinished;
  }

  /** Returns the attempt that a key names. */
  static TaskAttempt attempt(String object, String key, String prefix) throws LayoutException {
    String[] parts = key.substring(prefix.length()).split("/", -1);
    try {
      if (parts.length == 2) {
        return new TaskAttempt(parts[0], parts[1]);
      }
    } catch (IllegalArgumentException e) {
      throw unreadableKey(object, key, e);
    }
    throw unreadableKey(object, key, null);
  }

  private static LayoutException unreadableKey(String object, String key, Throwable cause) {
    return new LayoutException(
        "cannot read key '" + key + "' of the job record '" + object + "'; nothing was changed",
        cause);
  }

  /** Decodes the head of a record from its keys. */
  static JobRecord.Head head(String object, SortedMap<String, byte[]> omap) throws LayoutException {
    byte[] state = omap.get(RecordKeys.STATE);
    byte[] info = omap.get(RecordKeys.INFO);
    byte[] heartbeat = omap.get(RecordKeys.HEARTBEAT);
    if (state == null && (info != null || heartbeat == null)) {
      throw missing(object, RecordKeys.STATE);
    }
    Optional<JobInfo> decoded =
        info == null ? Optional.empty() : Optional.of(JobInfo.decode(object, info));
    return new JobRecord.Head(
        state == null ? Optional.empty() : Optional.of(JobState.decode(object, state)),
        decoded,
        Math.max(decoded.map(JobInfo::started).orElse(0L), time(object, heartbeat)),
        found(object, omap.get(RecordKeys.FOUND)));
  }

  private static Optional<Uid> found(String object, byte[] stored) throws LayoutException {
    try {
      return Optional.ofNullable(stored)
          .map(bytes -> new Uid(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw unreadable(object, RecordKeys.FOUND);
    }
  }

  private static long time(String object, byte[] stored) throws LayoutException {
    try {
      long time = stored == null ? 0 : Long.parseLong(new String(stored, StandardCharsets.UTF_8));
      if (time >= 0) {
        return time;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw unreadable(object, RecordKeys.HEARTBEAT);
  }

  private static LayoutException unreadable(String object, String key) {
    return new LayoutException(
        "cannot read key '" + key + "' of the job record '" + object + "'; nothing was changed");
  }

  private static LayoutException missing(String object, String key) {
    return new LayoutException(
        "the job record '" + object + "' has no omap key '" + key + "'; nothing was changed");
  }
}
