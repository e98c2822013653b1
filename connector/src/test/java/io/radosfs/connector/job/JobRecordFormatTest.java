// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Vectors;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The vectors {@code record.…} of {@code committer/docs/storage-format.md}: each is what is written
 * for a value, and is read as that value.
 */
class JobRecordFormatTest {

  private static final String PAGE = "committer/docs/storage-format.md";
  private static final String PREFIX = "record.";
  private static final String RECORD = "out//job/job-1";
  private static final FsPath OUT = new FsPath("out");
  private static final Uid UID = new Uid("0123456789abcdef01234567");
  private static final TaskAttempt ATTEMPT = new TaskAttempt("m000003", "7");
  private static final long TIME = 1_763_723_000_123L;

  private final Map<String, String> written = new HashMap<>();
  private final Map<String, String> onPage = Vectors.of(PAGE).values();

  private static FileData data(String path, Optional<String> pool) {
    return new FileData(new FsPath(path), UID, /* plainFirst= */ true, 0, 1 << 22, pool);
  }

  private static String text(byte[] stored) {
    return new String(stored, StandardCharsets.UTF_8);
  }

  private byte[] page(String name) {
    return onPage.get(PREFIX + name).getBytes(StandardCharsets.UTF_8);
  }

  /** What is read from the page, under a name. */
  private interface Read {
    Object now() throws LayoutException;
  }

  private final Map<Object, Read> readings = new LinkedHashMap<>();

  private void key(String name, String key) {
    written.put(PREFIX + "key." + name, key);
  }

  private void state(JobState state) {
    String name = "state." + state.name();
    written.put(PREFIX + name, text(state.encode()));
    readings.put(state, () -> JobState.decode(RECORD, page(name)));
  }

  private void workFile(String name, WorkFile file) {
    written.put(PREFIX + name + ".key", file.key());
    written.put(PREFIX + name, text(file.encode()));
    readings.put(
        file, () -> WorkFile.decode(RECORD, OUT, onPage.get(PREFIX + name + ".key"), page(name)));
  }

  private void info(String name, JobInfo info) {
    written.put(PREFIX + name, text(info.encode()));
    readings.put(info, () -> JobInfo.decode(RECORD, page(name)));
  }

  private void all() {
    key("state", RecordKeys.STATE);
    key("info", RecordKeys.INFO);
    key("heartbeat", RecordKeys.HEARTBEAT);
    key("found", RecordKeys.FOUND);
    key("plan", RecordKeys.PLAN);
    key("manifest", RecordKeys.manifest(ATTEMPT));
    key("large", ManifestSizes.keys().iterator().next());
    key("aborted", RecordKeys.aborted(ATTEMPT));
    key("last-change", RecordKeys.lastChange(ATTEMPT));
    written.put(PREFIX + "heartbeat", text(RecordKeys.time(TIME)));
    for (JobState state : JobState.values()) {
      state(state);
    }
    info(
        "info",
        new JobInfo("job-1", "5f6c", "JobUUID", "spark", "spark@host", TIME)
            .ofProcess(4711)
            .replacing(List.of("/out/p=1", "/out/p=2")));
    info(
        "info-made",
        new JobInfo("job-1", "5f6c", "JobUUID", "spark", "spark@host", TIME)
            .making(Optional.of(UID)));
    info(
        "info-above",
        new JobInfo("job-1", "5f6c", "JobUUID", "spark", "spark@host", TIME)
            .replacing(List.of("/there/out"))
            .registeredIn(new FsPath("there")));
    info(
        "info-restartable",
        new JobInfo("job-1", "job_1_0007", "mapreduce.job.id", "mapreduce", "me@host", TIME)
            .asRestartable());
    FileData data = data("out/p=1/part-0", Optional.empty());
    workFile("open", WorkFile.open(ATTEMPT, "p=1/part-0", data, 8));
    workFile(
        "open-elsewhere",
        WorkFile.open(
            ATTEMPT,
            JobPaths.ELSEWHERE + "/there/part-0",
            data("there/part-0", Optional.of("cold pool")),
            8));
    WorkFile closed =
        WorkFile.closed(
            ATTEMPT,
            "p=1/part-0",
            new Entry.OfFile(
                data.withLength(7), 0x9a2b3c4d, new Attributes(TIME, 0644, "spark", "users")));
    workFile("closed", closed);
    workFile("removed", closed.asRemoved());
  }

  @Test
  void eachVectorIsWhatIsWrittenAndIsReadAsThat() throws LayoutException {
    all();
    assertThat(Vectors.text(recordVectors()))
        .as("the vectors %s… of %s, sorted", PREFIX, PAGE)
        .isEqualTo(Vectors.text(written));
    for (Map.Entry<Object, Read> reading : readings.entrySet()) {
      assertThat(reading.getValue().now()).isEqualTo(reading.getKey());
    }
  }

  private Map<String, String> recordVectors() {
    Map<String, String> vectors = new HashMap<>(onPage);
    vectors.keySet().removeIf(name -> !name.startsWith(PREFIX));
    return vectors;
  }
}
