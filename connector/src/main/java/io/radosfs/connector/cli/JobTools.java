// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.hadoop.MountedJobs;
import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobNames;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Identity;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.JobCollector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;

/** The jobs of a mounted file system, and the committer that recovers them. */
final class JobTools {

  /** The message if no committer is on the class path. */
  static final String MISSING =
      "the committer is not on the class path (radosfs-committer-*.jar, built by `mvn -DskipTests"
          + " package`), which alone can read the records of jobs";

  private final JobSupport fs;
  private final JobRegistry registry;
  private final JobUpkeep upkeep;

  private JobTools(JobSupport fs, JobRegistry registry, JobUpkeep upkeep) {
    this.fs = fs;
    this.registry = registry;
    this.upkeep = upkeep;
  }

  /** Empty if there is no committer. */
  static Optional<JobTools> find(Mount mount, Configuration conf) throws IOException {
    Optional<JobUpkeep> upkeep = JobUpkeep.find(JobTools.class.getClassLoader());
    if (upkeep.isEmpty()) {
      return Optional.empty();
    }
    Identity identity = Identity.ofProcess(mount.settings());
    JobSupport fs = new MountedJobs(mount, () -> () -> {}, identity, FsPermission.getUMask(conf));
    return Optional.of(new JobTools(fs, mount.jobRegistry(), upkeep.get()));
  }

  /**
   * @throws IOException when there is no committer
   */
  static JobTools of(Mount mount, Configuration conf) throws IOException {
    return find(mount, conf).orElseThrow(() -> new IOException(MISSING));
  }

  JobCollector collector(CollectionLog log) {
    return new JobCollector(registry, fs, upkeep, log);
  }

  /**
   * Returns all jobs on a destination and below it that can be found.
   *
   * @param failures told of what could not be read
   */
  List<RegisteredJob> below(FsPath top, Failures failures) throws IOException {
    return registry.below(top, failures);
  }

  /**
   * Finds the job with this id, or the only one whose id begins with it; also one with this id that
   * is not registered, on this very destination.
   *
   * @throws IOException when there is none, or several
   * @throws IllegalArgumentException for an empty id, as of a variable in a script that is not set
   */
  RegisteredJob find(FsPath top, String id) throws IOException {
    if (id.isEmpty()) {
      throw new IllegalArgumentException(
          "the ID of the job is empty, which would be the beginning of any: see radosfs jobs list");
    }
    List<IOException> failures = new ArrayList<>();
    List<RegisteredJob> all = registry.below(top, (subject, failure) -> failures.add(failure));
    List<RegisteredJob> found = all.stream().filter(job -> job.id().equals(id)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(job -> job.id().startsWith(id)).toList();
    }
    if (found.isEmpty()) {
      found = unregistered(top, id).stream().toList();
    }
    if (found.isEmpty() && !failures.isEmpty()) {
      throw new IOException(
          "no job "
              + id
              + " was found on "
              + top
              + " or below, where not everything could be read: "
              + failures.get(0).getMessage(),
          failures.get(0));
    }
    if (found.isEmpty()) {
      throw new IOException(
          "there is no job " + id + " on " + top + " or below: it has ended, or never existed");
    }
    if (found.size() > 1) {
      throw new IOException(
          "several jobs have an id that begins so: "
              + found.stream().map(RegisteredJob::toString).collect(Collectors.joining(", "))
              + "; give more of the id, or the destination");
    }
    return found.get(0);
  }

  /**
   * A job that has a record on this destination, and nothing that leads to it: its driver was taken
   * for dead before it made the record, and did not go on after. {@code radosfs fsck} names it.
   */
  private Optional<RegisteredJob> unregistered(FsPath destination, String id) throws IOException {
    // What is no id may be a user's slip; there is no such job.
    return JobNames.isValid(id) && fs.record(destination, id).head().isPresent()
        ? Optional.of(
            RegisteredJob.recorded(destination, id, Transactions.State.PENDING, Optional.empty()))
        : Optional.empty();
  }

  JobDescription describe(RegisteredJob job) throws IOException {
    return upkeep.describe(fs, job);
  }
}
