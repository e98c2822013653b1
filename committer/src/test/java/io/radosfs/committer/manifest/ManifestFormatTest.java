// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.docs.Vectors;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What {@code committer/docs/storage-format.md} shows of manifests, plans and reports: each is what
 * is written for a value, and is read as that value.
 */
class ManifestFormatTest {

  private static final String PAGE = "committer/docs/storage-format.md";
  private static final Vectors VECTORS = Vectors.of(PAGE);
  private static final String PLAN = "plan.";
  private static final String RECORD = "out//job/job-1";
  private static final FsPath OUT = new FsPath("out");
  private static final Uid UID = new Uid("0123456789abcdef01234567");
  private static final Uid OTHER = new Uid("89abcdef0123456701234567");
  private static final TaskAttempt ATTEMPT = new TaskAttempt("m000003", "7");
  private static final long TIME = 1_763_723_000_123L;

  private static final Attributes ATTRIBUTES = new Attributes(TIME, 0644, "spark", "users");

  private static PromotedFile file(String path, Uid uid) {
    FsPath at = new FsPath(path);
    FileData data = new FileData(at, uid, /* plainFirst= */ true, 7, 1 << 22, Optional.empty());
    return new PromotedFile(at, new Entry.OfFile(data, 0x9a2b3c4d, ATTRIBUTES));
  }

  private static final TaskManifest MANIFEST =
      new TaskManifest(
          "job-1",
          ATTEMPT,
          0,
          TIME,
          List.of(file("out/p=1/part-0", UID), file("there/part-1", OTHER)));

  private static final JobPlan WHOLE =
      new JobPlan(
          new Overwrite(Set.of(OUT, new FsPath("there")), false),
          Optional.of(
              new JobPlan.Success(
                  new FileData(
                      new FsPath("out/_SUCCESS"),
                      UID,
                      /* plainFirst= */ true,
                      0,
                      1 << 22,
                      Optional.of("cold pool")),
                  "{}",
                  OTHER.value())),
          Set.of(ATTEMPT, new TaskAttempt("m000004", "0")),
          Set.of(OUT, new FsPath("out/p=1"), new FsPath("there")),
          Set.of(OTHER.value()));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static SuccessReport report() {
    SuccessReport.Statistics statistics =
        SuccessReport.Statistics.ofCounters(new TreeMap<>(Map.of("committer_files_committed", 1L)));
    statistics.addDurations("job_stage_setup", List.of(3L, 5L));
    return new SuccessReport(
        SuccessReport.NAME,
        /* success= */ true,
        TIME,
        "2025-11-21T11:03:20.123Z",
        "host",
        SuccessReport.COMMITTER,
        "spark job",
        "5f6c",
        "JobUUID",
        "SUCCEEDED",
        "committer_commit_job",
        new TreeMap<>(Map.of("committer_files_committed", 1L)),
        new TreeMap<>(Map.of(SuccessReport.RECORD, RECORD)),
        List.of("/out/p=1/part-0"),
        statistics,
        List.of(new SuccessReport.ListedFile("/out/p=1/part-0", 7, "9a2b3c4d")));
  }

  @Test
  void eachVectorIsWhatIsWritten() {
    Map<String, String> written = new HashMap<>();
    written.put("manifest", new String(MANIFEST.encode(OUT), StandardCharsets.UTF_8));
    WHOLE
        .encode(OUT)
        .forEach(
            (part, value) -> written.put(PLAN + part, new String(value, StandardCharsets.UTF_8)));
    JobPlan.encodeJoining(UID.value())
        .forEach(
            (part, value) ->
                written.put("joining." + part, new String(value, StandardCharsets.UTF_8)));
    JobPlan.encodeDirectories(OUT, Set.of(new FsPath("out/p=2")), UID + "-")
        .forEach(
            (part, value) ->
                written.put("added." + part, new String(value, StandardCharsets.UTF_8)));
    Map<String, String> onPage = new HashMap<>(VECTORS.values());
    onPage.keySet().removeIf(name -> name.startsWith("record."));
    assertThat(Vectors.text(onPage))
        .as("the vectors of %s, sorted", PAGE)
        .isEqualTo(Vectors.text(written));
  }

  @Test
  void theManifestIsRead() throws Exception {
    byte[] onPage = bytes(VECTORS.values().get("manifest"));
    assertThat(TaskManifest.decode(RECORD, OUT, "job-1", ATTEMPT, onPage)).isEqualTo(MANIFEST);
  }

  @Test
  void thePlanIsRead() throws Exception {
    SortedMap<String, byte[]> parts = new TreeMap<>();
    VECTORS
        .values()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PLAN)) {
                parts.put(name.substring(PLAN.length()), bytes(value));
              }
            });
    assertThat(JobPlan.decode(RECORD, OUT, parts)).contains(WHOLE);
    String added = "directories/" + UID + "-000000";
    parts.put(added, bytes(VECTORS.values().get("added." + added)));
    assertThat(JobPlan.decode(RECORD, OUT, parts))
        .contains(WHOLE.and(Set.of(new FsPath("out/p=2"))));
  }

  @Test
  void theReportIsWrittenAndRead() {
    String onPage = VECTORS.pools().get("report");
    assertThat(report().encode() + "\n").as("block 'pool report' of %s", PAGE).isEqualTo(onPage);
    assertThat(SuccessReport.decode(bytes(onPage))).contains(report());
  }
}
