package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
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

/**
 * Reads what a job's record has of one attempt, in pages. The manifests of the task's other
 * attempts are only counted, and each may be as large as an operation takes: so they come few at a
 * time.
 */
final class AttemptReader {

  /** Manifests of the task in one page: as a rule no more have been committed. */
  private static final int MANIFESTS_AT_ONCE = 2;

  private final String object;
  private final FsPath destination;
  private final TaskAttempt attempt;
  private final RecordReader.Reader reader;

  AttemptReader(
      String object, FsPath destination, TaskAttempt attempt, RecordReader.Reader reader) {
    this.object = object;
    this.destination = destination;
    this.attempt = attempt;
    this.reader = reader;
  }

  /** The attempt; empty when there is no record. */
  Optional<JobRecord.Attempt> read() throws IOException {
    String manifestKey = RecordKeys.manifest(attempt);
    String ofTask = RecordKeys.MANIFEST_PREFIX + attempt.task() + "/";
    ReadOp first =
        ReadOp.builder()
            .omapRange("", RecordKeys.workFiles(attempt), JobRecord.PAGE)
            .omapByKeys(Set.of(manifestKey, RecordKeys.aborted(attempt)))
            .omapRange("", ofTask, MANIFESTS_AT_ONCE)
            .build();
    ReadResult result;
    List<WorkFile> files = new ArrayList<>();
    int ofAll;
    try {
      result = reader.read(first);
      ofAll = count(result, 2, ofTask);
      readOn(result, RecordKeys.workFiles(attempt), files);
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
    boolean committed = result.omap(1).containsKey(manifestKey);
    return Optional.of(
        new JobRecord.Attempt(
            files,
            Optional.ofNullable(result.omap(1).get(manifestKey)),
            result.omap(1).containsKey(RecordKeys.aborted(attempt)),
            ofAll - (committed ? 1 : 0)));
  }

  /** How many keys of a prefix there are, of which a step has answered the first page. */
  private int count(ReadResult first, int answer, String prefix) throws IOException {
    ReadResult page = first;
    int step = answer;
    int count = page.entries(step).size();
    while (page.more(step)) {
      String last = page.entries(step).key(page.entries(step).size() - 1);
      page = reader.read(ReadOp.builder().omapRange(last, prefix, MANIFESTS_AT_ONCE).build());
      step = 0;
      count += page.entries(step).size();
    }
    return count;
  }

  /** The file at a path or those below it; nothing when there is no record. */
  List<WorkFile> files(String relative) throws IOException {
    String prefix = RecordKeys.workFiles(attempt) + (relative.isEmpty() ? "" : relative + "/");
    List<WorkFile> files = new ArrayList<>();
    try {
      ReadOp first = ReadOp.builder().omapRange("", prefix, JobRecord.PAGE).build();
      readOn(reader.read(first), prefix, files);
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return List.of();
      }
      throw e;
    }
    return files;
  }

  /** Takes the files of a first page, and reads the others. */
  private void readOn(ReadResult first, String prefix, List<WorkFile> files) throws IOException {
    ReadResult page = first;
    while (true) {
      String after = "";
      for (Map.Entry<String, byte[]> file : page.omap(0).entrySet()) {
        files.add(WorkFile.decode(object, destination, file.getKey(), file.getValue()));
        after = file.getKey();
      }
      if (!page.more(0)) {
        return;
      }
      page = reader.read(ReadOp.builder().omapRange(after, prefix, JobRecord.PAGE).build());
    }
  }
}
