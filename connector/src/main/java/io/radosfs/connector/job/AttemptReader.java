// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

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
 * Reads what a {@link JobRecord} holds of one task attempt, in as few operations as the sizes of
 * the job's manifests allow, and as if at one instant.
 *
 * <p>Thread-safe; holds no state of its own.
 */
final class AttemptReader {

  /** Manifests of the task in one page; usually no more have been committed. */
  private static final int MANIFESTS_AT_ONCE = 2;

  private final JobRecord job;
  private final RecordOps ops;
  private final TaskAttempt attempt;

  AttemptReader(JobRecord job, RecordOps ops, TaskAttempt attempt) {
    this.job = job;
    this.ops = ops;
    this.attempt = attempt;
  }

  /** See {@link AttemptRecord#contents}. */
  AttemptRecord.Contents contents() throws IOException {
    try {
      while (true) {
        FirstPage first = firstPage();
        Optional<List<WorkFile>> files = files(first);
        if (files.isPresent()) {
          return contents(first, files.get());
        }
        // Not for ever: an attempt commits once, and only its abort removes the manifest.
      }
    } catch (StoreException e) {
      throw e.is(Kind.NOT_FOUND) ? job.gone() : e;
    }
  }

  /**
   * What is read of the attempt before further pages of files.
   *
   * @param result with the first page of files, and in the next step the other keys
   * @param step of the files
   * @param committed how many attempts of the task are, this one included
   */
  private record FirstPage(ReadResult result, int step, Optional<byte[]> manifest, int committed) {}

  private FirstPage firstPage() throws IOException {
    Optional<FirstPage> small = firstIfSmall();
    return small.isPresent() ? small.get() : firstOneByOne();
  }

  /** Empty if a manifest of the job may be large. */
  private Optional<FirstPage> firstIfSmall() throws IOException {
    ReadOp op =
        ManifestSizes.ifAllSmall(ReadOp.builder())
            .omapRange("", RecordKeys.workFiles(attempt), JobRecord.PAGE)
            .omapByKeys(
                Set.of(
                    RecordKeys.manifest(attempt),
                    RecordKeys.aborted(attempt),
                    RecordKeys.STATE,
                    RecordKeys.lastChange(attempt)))
            .omapRange("", ofTask(), MANIFESTS_AT_ONCE)
            .build();
    ReadResult result;
    try {
      result = ops.read(op);
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return Optional.empty();
      }
      throw e;
    }
    return Optional.of(new FirstPage(result, 1, own(result, 2), count(result, 3)));
  }

  /** No answer has more than one manifest. */
  private FirstPage firstOneByOne() throws IOException {
    ReadResult result = ops.read(filesAndMarks().omapRange("", ofTask(), 1).build());
    int committed = count(result, 2);
    Optional<byte[]> manifest = own(result, 2);
    if (manifest.isEmpty() && committed > 0) {
      manifest = own(ops.read(ReadOp.builder().omapByKeys(ownManifest()).build()), 0);
      if (manifest.isPresent()) {
        // The files were read before it, and may be those that it has committed.
        result = ops.read(filesAndMarks().build());
      }
    }
    return new FirstPage(result, 0, manifest, committed);
  }

  private ReadOp.Builder filesAndMarks() {
    return ReadOp.builder()
        .omapRange("", RecordKeys.workFiles(attempt), JobRecord.PAGE)
        .omapByKeys(
            Set.of(RecordKeys.aborted(attempt), RecordKeys.STATE, RecordKeys.lastChange(attempt)));
  }

  private Set<String> ownManifest() {
    return Set.of(RecordKeys.manifest(attempt));
  }

  private Optional<byte[]> own(ReadResult result, int step) throws IOException {
    return Optional.ofNullable(result.omap(step).get(RecordKeys.manifest(attempt)));
  }

  private String ofTask() {
    return RecordKeys.MANIFEST_PREFIX + attempt.task() + "/";
  }

  private AttemptRecord.Contents contents(FirstPage first, List<WorkFile> files)
      throws IOException {
    Map<String, byte[]> marks = first.result().omap(first.step() + 1);
    byte[] state = marks.get(RecordKeys.STATE);
    if (state == null) {
      throw job.gone();
    }
    return new AttemptRecord.Contents(
        files,
        first.manifest(),
        marks.containsKey(RecordKeys.aborted(attempt)),
        first.committed() - (first.manifest().isPresent() ? 1 : 0),
        JobState.decode(job.name(), state),
        Optional.ofNullable(marks.get(RecordKeys.lastChange(attempt))));
  }

  /** Counts the manifests of the task; one step of {@code first} holds their first page. */
  private int count(ReadResult first, int answer) throws IOException {
    ReadResult page = first;
    int step = answer;
    int count = page.entries(step).size();
    while (page.more(step)) {
      String last = page.entries(step).key(page.entries(step).size() - 1);
      page = ops.read(ReadOp.builder().omapRange(last, ofTask(), 1).build());
      step = 0;
      count += page.entries(step).size();
    }
    return count;
  }

  /** See {@link AttemptRecord#files}. */
  List<WorkFile> files(String relative) throws IOException {
    String prefix = RecordKeys.workFiles(attempt) + (relative.isEmpty() ? "" : relative + "/");
    try {
      ReadOp first = ReadOp.builder().omapRange("", prefix, JobRecord.PAGE).build();
      return readOn(ops.read(first), 0, prefix, /* untilCommitted= */ false).orElseThrow();
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return List.of();
      }
      throw e;
    }
  }

  /** Reads the pages after the first; empty if the attempt was committed meanwhile. */
  private Optional<List<WorkFile>> files(FirstPage first) throws IOException {
    boolean committed = first.manifest().isPresent();
    return readOn(first.result(), first.step(), RecordKeys.workFiles(attempt), !committed);
  }

  /**
   * Decodes the files of the first page, then reads the following pages.
   *
   * @param untilCommitted whether the answer is empty if the attempt was committed meanwhile
   */
  private Optional<List<WorkFile>> readOn(
      ReadResult first, int answer, String prefix, boolean untilCommitted) throws IOException {
    List<WorkFile> files = new ArrayList<>();
    ReadResult page = first;
    int step = answer;
    while (true) {
      String after = "";
      for (Map.Entry<String, byte[]> file : page.omap(step).entrySet()) {
        files.add(WorkFile.decode(job.name(), job.destination(), file.getKey(), file.getValue()));
        after = file.getKey();
      }
      if (!page.more(step)) {
        return Optional.of(files);
      }
      ReadOp.Builder next = ReadOp.builder().omapRange(after, prefix, JobRecord.PAGE);
      page = ops.read((untilCommitted ? next.omapByKeys(ownManifest()) : next).build());
      step = 0;
      if (untilCommitted && own(page, 1).isPresent()) {
        return Optional.empty();
      }
    }
  }
}
