package io.radosfs.committer.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The content of {@code _SUCCESS}: JSON in the shape that S3A's committers and Hadoop's manifest
 * committer write, so that their printers read it.
 *
 * @param name the shape's name and version
 * @param date of {@code timestamp}, for people
 * @param metrics counts, and milliseconds per stage
 * @param filenames the first {@value #MAX_FILENAMES} files, absolute
 * @param iostatistics as Hadoop's IOStatisticsSnapshot
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({
  "name",
  "success",
  "timestamp",
  "date",
  "hostname",
  "committer",
  "description",
  "jobId",
  "jobIdSource",
  "state",
  "stage",
  "metrics",
  "diagnostics",
  "filenames",
  "iostatistics"
})
public record SuccessReport(
    String name,
    boolean success,
    long timestamp,
    String date,
    String hostname,
    String committer,
    String description,
    String jobId,
    String jobIdSource,
    String state,
    String stage,
    SortedMap<String, Long> metrics,
    SortedMap<String, String> diagnostics,
    List<String> filenames,
    Statistics iostatistics) {

  public static final String NAME = "org.apache.hadoop.fs.s3a.commit.files.SuccessData/1";
  public static final String COMMITTER = "radosfs";
  public static final int MAX_FILENAMES = 100;

  /** Where the name of the job's record is, in {@code diagnostics}. */
  public static final String RECORD = "radosfs.job";

  /** The five maps of Hadoop's IOStatisticsSnapshot. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Statistics(
      SortedMap<String, Long> counters,
      Map<String, Long> gauges,
      Map<String, Long> minimums,
      Map<String, Long> maximums,
      Map<String, Object> meanstatistics) {

    public static Statistics ofCounters(SortedMap<String, Long> counters) {
      return new Statistics(counters, Map.of(), Map.of(), Map.of(), Map.of());
    }
  }

  public String encode() {
    try {
      return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a report; empty when it is not one of ours. */
  public static Optional<SuccessReport> decode(byte[] content) {
    try {
      SuccessReport report = Json.MAPPER.readValue(content, SuccessReport.class);
      return COMMITTER.equals(report.committer()) ? Optional.of(report) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
