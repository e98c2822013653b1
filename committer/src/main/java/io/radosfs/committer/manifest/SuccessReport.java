// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of {@code _SUCCESS}: JSON in the format of S3A's committers and Hadoop's manifest
 * committer, so that their tools can print it.
 *
 * @param name name and version of the format
 * @param date of {@code timestamp}, for display
 * @param metrics counts, and milliseconds per stage
 * @param filenames the first {@value #MAX_FILENAMES} files, absolute
 * @param iostatistics like Hadoop's IOStatisticsSnapshot, with the stages' durations in
 *     milliseconds
 * @param files all files if that is asked for; else null
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
  "iostatistics",
  "files"
})
@JsonInclude(JsonInclude.Include.NON_NULL)
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
    Statistics iostatistics,
    Collection<ListedFile> files) {

  /** A stored one may have neither: whoever may write to the destination may write one. */
  public SuccessReport {
    metrics = metrics == null ? new TreeMap<>() : metrics;
    diagnostics = diagnostics == null ? new TreeMap<>() : diagnostics;
  }

  /**
   * A file of the job.
   *
   * @param path in the file system
   * @param crc32c in hexadecimal
   */
  public record ListedFile(String path, long length, String crc32c) {}

  /** The same report with a list of all files. */
  public SuccessReport listing(Collection<ListedFile> all) {
    return new SuccessReport(
        name,
        success,
        timestamp,
        date,
        hostname,
        committer,
        description,
        jobId,
        jobIdSource,
        state,
        stage,
        metrics,
        diagnostics,
        filenames,
        iostatistics,
        all);
  }

  public static final String NAME = "org.apache.hadoop.fs.s3a.commit.files.SuccessData/1";
  public static final String COMMITTER = "radosfs";
  public static final int MAX_FILENAMES = 100;

  /** The keys of the counts of files and bytes in {@code metrics}. */
  public static final String FILES = "committer_files_committed";

  public static final String BYTES = "committer_bytes_committed";

  /** The key of the job record's name in {@code diagnostics}. */
  public static final String RECORD = "radosfs.job";

  /** The five maps of Hadoop's IOStatisticsSnapshot. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Statistics(
      SortedMap<String, Long> counters,
      SortedMap<String, Long> gauges,
      SortedMap<String, Long> minimums,
      SortedMap<String, Long> maximums,
      SortedMap<String, Mean> meanstatistics) {

    /** The stored form of Hadoop's MeanStatistic. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Mean(long samples, long sum) {}

    public static Statistics ofCounters(SortedMap<String, Long> counters) {
      return new Statistics(
          new TreeMap<>(counters),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>());
    }

    /** Adds the durations of a stage, under Hadoop's names for durations. */
    public void addDurations(String name, List<Long> millis) {
      long sum = millis.stream().mapToLong(Long::longValue).sum();
      counters.put(name, (long) millis.size());
      minimums.put(name + ".min", Collections.min(millis));
      maximums.put(name + ".max", Collections.max(millis));
      meanstatistics.put(name + ".mean", new Mean(millis.size(), sum));
    }
  }

  /** The files of the job. */
  public long numberOfFiles() {
    return metrics.getOrDefault(FILES, 0L);
  }

  /** Their bytes. */
  public long numberOfBytes() {
    return metrics.getOrDefault(BYTES, 0L);
  }

  public String encode() {
    try {
      return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the same as {@link #encode}, one file after another; leaves the stream open. */
  public void write(OutputStream out) throws IOException {
    Json.MAPPER
        .writerWithDefaultPrettyPrinter()
        .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .writeValue(out, this);
  }

  /** Whether a report, of any length, is whole, and says that its job is committed. */
  public static boolean saysSuccess(InputStream stored) throws IOException {
    try (JsonParser json = Json.MAPPER.getFactory().createParser(stored)) {
      boolean success = false;
      boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
      while (isObject && json.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = json.currentName().equals("success");
        JsonToken value = json.nextToken();
        success |= found && value == JsonToken.VALUE_TRUE;
        json.skipChildren();
      }
      return success && json.currentToken() == JsonToken.END_OBJECT;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  /** Decodes a report; empty if it is not one of radosfs. */
  public static Optional<SuccessReport> decode(byte[] content) {
    try {
      return Optional.ofNullable(Json.MAPPER.readValue(content, SuccessReport.class))
          .filter(report -> COMMITTER.equals(report.committer()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
