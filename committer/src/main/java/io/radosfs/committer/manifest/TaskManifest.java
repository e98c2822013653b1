// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that a task attempt wrote: the value of {@code m/<task>/<attempt>} in the job's record.
 *
 * <pre>
 * {"version":1,"jobId":"…","task":"m000003","attempt":"7","sequence":0,"committed":1763723000123,
 *  "files":[{"path":"year=2024/part-00003-….parquet","entry":"file 1 length=… crc32c=… …"}]}
 * </pre>
 *
 * @param jobId of the record that it is in
 * @param attempt that wrote them
 * @param sequence how many other attempts of the task were committed before
 * @param committed milliseconds since the epoch
 * @param files to become visible
 */
public record TaskManifest(
    String jobId, TaskAttempt attempt, int sequence, long committed, List<PromotedFile> files) {

  public static final int VERSION = 1;

  /**
   * A file to become visible.
   *
   * @param path its final path
   * @param entry its final entry
   */
  public record PromotedFile(FsPath path, Entry.OfFile entry) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record StoredFile(String path, String entry) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Stored(
      int version,
      String jobId,
      String task,
      String attempt,
      int sequence,
      long committed,
      List<StoredFile> files) {}

  public TaskManifest {
    files = List.copyOf(files);
  }

  public long bytes() {
    return files.stream().mapToLong(file -> file.entry().data().length()).sum();
  }

  /** The stored form; paths are in the form of {@link JobPaths}. */
  public byte[] encode(FsPath destination) {
    List<StoredFile> stored = new ArrayList<>(files.size());
    for (PromotedFile file : files) {
      stored.add(
          new StoredFile(
              JobPaths.relative(destination, file.path()),
              new String(EntryCodec.encode(file.path(), file.entry()), StandardCharsets.UTF_8)));
    }
    return Json.bytes(
        new Stored(VERSION, jobId, attempt.task(), attempt.attempt(), sequence, committed, stored));
  }

  /**
   * Decodes the stored form.
   *
   * @param where for the error message, such as the record's name
   * @throws ManifestException if it is not the manifest of that attempt of that job
   */
  public static TaskManifest decode(
      String where, FsPath destination, String jobId, TaskAttempt attempt, byte[] bytes)
      throws ManifestException {
    try {
      Stored stored = Json.MAPPER.readValue(bytes, Stored.class);
      if (stored.version() != VERSION) {
        throw new IOException("it has version " + stored.version() + ", not " + VERSION);
      }
      if (!jobId.equals(stored.jobId())
          || !attempt.task().equals(stored.task())
          || !attempt.attempt().equals(stored.attempt())) {
        throw new IOException(
            "it is of job " + stored.jobId() + ", " + stored.task() + "/" + stored.attempt());
      }
      List<PromotedFile> files = new ArrayList<>(stored.files().size());
      for (StoredFile file : stored.files()) {
        FsPath path = JobPaths.resolve(destination, file.path());
        Entry entry = EntryCodec.decode(path, file.entry());
        files.add(new PromotedFile(path, (Entry.OfFile) entry));
      }
      return new TaskManifest(jobId, attempt, stored.sequence(), stored.committed(), files);
    } catch (IOException | RuntimeException e) {
      throw new ManifestException(
          "cannot read the manifest of task attempt "
              + attempt
              + ", omap key 'm/"
              + attempt
              + "' of the job record '"
              + where
              + "' ("
              + e.getMessage()
              + "). It was written by another version of radosfs, or damaged. Nothing was made"
              + " visible; run the job again",
          e);
    }
  }
}
