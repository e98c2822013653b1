// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

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
 * @param made uid of the destination, if the job's set-up has made that directory; null if not, and
 *     in records of earlier versions
 * @param coordinator the directory in which the job is registered, if that is not its destination;
 *     else null, as in records of earlier versions
 * @param restartable true if its driver may be started anew after the commit, and ask what came of
 *     it; else null, as in records of earlier versions
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
    List<String> replaces,
    @JsonInclude(JsonInclude.Include.NON_NULL) String made,
    @JsonInclude(JsonInclude.Include.NON_NULL) String coordinator,
    @JsonInclude(JsonInclude.Include.NON_NULL) Boolean restartable) {

  /** A job of which no more is known yet. */
  public JobInfo(
      String jobId, String sourceId, String source, String engine, String owner, long started) {
    this(VERSION, jobId, sourceId, source, engine, owner, 0, started, List.of(), null, null, null);
  }

  /** What is the source of an id that nothing but the record's name tells. */
  private static final String NOTICED = "record";

  /**
   * The information about a job whose record tells nothing: only a notice is left of it, as it was
   * never set up or has ended; or it could not be read.
   *
   * @param noticed milliseconds since the epoch; 0 when not known
   */
  public static JobInfo unknown(String jobId, long noticed) {
    return new JobInfo(jobId, jobId, NOTICED, "unknown", "unknown", noticed);
  }

  /** Whether this is {@link #unknown}. */
  public boolean saysNothing() {
    return NOTICED.equals(source);
  }

  public JobInfo {
    replaces = replaces == null ? List.of() : List.copyOf(replaces);
    Uid unused = made == null ? null : new Uid(made);
  }

  public JobInfo replacing(Collection<String> paths) {
    return with(pid, List.copyOf(paths), made, coordinator, restartable);
  }

  public JobInfo ofProcess(long id) {
    return with(id, replaces, made, coordinator, restartable);
  }

  /**
   * The same for a job whose set-up has made its destination.
   *
   * @param destination the directory's uid; empty if it was there before
   */
  public JobInfo making(Optional<Uid> destination) {
    String uid = destination.map(Uid::value).orElse(made);
    return with(pid, replaces, uid, coordinator, restartable);
  }

  /** The same for a job that is registered in a directory which is not its destination. */
  public JobInfo registeredIn(FsPath directory) {
    return with(pid, replaces, made, directory.toString(), restartable);
  }

  /** The same for a job whose driver may be started anew, as a MapReduce application master. */
  public JobInfo asRestartable() {
    return with(pid, replaces, made, coordinator, true);
  }

  private JobInfo with(
      long process, List<String> paths, String uid, String directory, Boolean mayRestart) {
    return new JobInfo(
        version,
        jobId,
        sourceId,
        source,
        engine,
        owner,
        process,
        started,
        paths,
        uid,
        directory,
        mayRestart);
  }

  /** Whether its driver may be started anew. */
  @JsonIgnore
  public boolean mayBeRestarted() {
    return Boolean.TRUE.equals(restartable);
  }

  /**
   * The directory in which a job with this destination is registered: that, or the one above it.
   *
   * @throws LayoutException if the record names another directory, where a job must not end what
   *     belongs to others
   */
  public FsPath coordinator(FsPath destination) throws IOException {
    FsPath directory = coordinator == null ? destination : FsPath.parse(coordinator);
    if (directory.equals(destination)
        || (!destination.isRoot() && directory.equals(destination.parent()))) {
      return directory;
    }
    throw new LayoutException(
        "the record of job "
            + jobId
            + " says that it is registered in "
            + directory
            + ", which is neither its destination "
            + destination
            + " nor the directory above; nothing was changed");
  }

  /** The uid of the destination, if the job's set-up has made that directory. */
  public Optional<Uid> madeDestination() {
    return Optional.ofNullable(made).map(Uid::new);
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
