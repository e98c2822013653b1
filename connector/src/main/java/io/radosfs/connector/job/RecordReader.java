package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads a job's record whole, in pages, all kinds of keys with the same reads. */
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
    final Sink sink;
    String after = "";

    Range(String prefix, Sink sink) {
      this.prefix = prefix;
      this.sink = sink;
    }
  }

  private final String object;
  private final FsPath destination;
  private final Reader reader;

  RecordReader(String object, FsPath destination, Reader reader) {
    this.object = object;
    this.destination = destination;
    this.reader = reader;
  }

  Optional<JobRecord.Contents> read(JobRecord.ManifestReader manifests) throws IOException {
    SortedMap<String, byte[]> head = new TreeMap<>();
    SortedMap<String, byte[]> plan = new TreeMap<>();
    Set<TaskAttempt> aborted = new TreeSet<>();
    List<WorkFile> files = new ArrayList<>();
    List<Range> ranges =
        List.of(
            new Range(
                RecordKeys.PLAN_PREFIX,
                (key, value) -> plan.put(key.substring(RecordKeys.PLAN_PREFIX.length()), value)),
            new Range(
                RecordKeys.ABORTED_PREFIX,
                (key, value) -> aborted.add(attempt(key, RecordKeys.ABORTED_PREFIX))),
            new Range(
                RecordKeys.WORK_PREFIX,
                (key, value) -> files.add(WorkFile.decode(object, destination, key, value))),
            new Range(
                RecordKeys.MANIFEST_PREFIX,
                (key, value) -> manifests.read(attempt(key, RecordKeys.MANIFEST_PREFIX), value)));
    try {
      while (!ranges.isEmpty()) {
        ranges = page(ranges, head);
      }
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
    if (!head.containsKey(RecordKeys.INFO)) {
      throw new LayoutException(
          "the job record '" + object + "' lacks its omap key 'i'; nothing was changed");
    }
    return Optional.of(
        new JobRecord.Contents(
            state(object, head),
            JobInfo.decode(object, head.get(RecordKeys.INFO)),
            plan,
            aborted,
            files));
  }

  /** Reads a page of each range; returns the ranges that go on. */
  private List<Range> page(List<Range> ranges, SortedMap<String, byte[]> head) throws IOException {
    ReadOp.Builder op = ReadOp.builder().omapByKeys(Set.of(RecordKeys.STATE, RecordKeys.INFO));
    for (Range range : ranges) {
      op.omapRange(range.after, range.prefix, JobRecord.PAGE);
    }
    ReadResult result = reader.read(op.build());
    head.putAll(result.omap(0));
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

  private TaskAttempt attempt(String key, String prefix) throws LayoutException {
    String[] parts = key.substring(prefix.length()).split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new LayoutException(
          "cannot read key '" + key + "' of the job record '" + object + "'; nothing was changed");
    }
    return new TaskAttempt(parts[0], parts[1]);
  }

  static JobState state(String object, SortedMap<String, byte[]> omap) throws LayoutException {
    byte[] stored = omap.get(RecordKeys.STATE);
    if (stored == null) {
      throw new LayoutException(
          "the job record '" + object + "' lacks its omap key 's'; nothing was changed");
    }
    return JobState.decode(object, stored);
  }
}
