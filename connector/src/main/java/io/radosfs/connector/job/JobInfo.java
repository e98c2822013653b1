// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.layout.LayoutException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Information about a job in its record, for operators and for recovery. Stored as JSON.
 *
 * @param version of this format
 * @param jobId the id that names the record
 * @param sourceId what the engine calls the job
 * @param source what kind of id that is, such as {@code JobUUID} or {@code mapreduce.job.id}
 * @param engine that runs it, such as {@code spark} or {@code mapreduce}
 * @param owner user and host that set it up
 * @param pid of the process on that host that drives it; 0 when not known
 * @param started milliseconds since the epoch
 * @param replaces paths whose whole content the job replaces, as known when it starts
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobInfo(
    int version,
    String jobId,
    String sourceId,
    String source,
    String engine,
    String owner,
    long pid,
    long started,
    List<String> replaces) {

  /** A job without known replaced paths and without a known process. */
  public JobInfo(
      int version,
      String jobId,
      String sourceId,
      String source,
      String engine,
      String owner,
      long started) {
    this(version, jobId, sourceId, source, engine, owner, 0, started, List.of());
  }

  /** The information about a job that was noticed, but never set up. */
  public static JobInfo unknown(String jobId, long noticed) {
    return new JobInfo(VERSION, jobId, jobId, "record", "unknown", "unknown", noticed);
  }

  public JobInfo {
    replaces = replaces == null ? List.of() : List.copyOf(replaces);
  }

  public JobInfo replacing(Collection<String> paths) {
    return new JobInfo(
        version, jobId, sourceId, source, engine, owner, pid, started, List.copyOf(paths));
  }

  public JobInfo ofProcess(long id) {
    return new JobInfo(version, jobId, sourceId, source, engine, owner, id, started, replaces);
  }

  public static final int VERSION = 1;

  private static final ObjectMapper JSON = new ObjectMapper();

  byte[] encode() {
    try {
      return JSON.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static JobInfo decode(String object, byte[] stored) throws LayoutException {
    try {
      JobInfo info = JSON.readValue(stored, JobInfo.class);
      if (info == null) {
        throw new LayoutException(
            "the job record '"
                + object
                + "' does not say whose it is (omap key 'i'); nothing was changed");
      }
      if (info.version() > VERSION) {
        throw new LayoutException(
            "the job record '"
                + object
                + "' has version "
                + info.version()
                + ", which this radosfs cannot read; use a newer one. Nothing was changed");
      }
      return info;
    } catch (LayoutException e) {
      throw e;
    } catch (IOException e) {
      throw new LayoutException(
          "cannot read the job record '" + object + "' (omap key 'i'); nothing was changed", e);
    }
  }
}
