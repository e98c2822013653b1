// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs on a directory and below it, looked at again and again. Directories are searched for new
 * jobs from time to time only, as that reads each of them; in between only the records of known
 * jobs are read.
 */
final class JobWatch {

  private final JobTools tools;
  private final FsPath top;
  private final long between;
  private final Map<String, RegisteredJob> known = new LinkedHashMap<>();
  private final Set<String> begun = new HashSet<>();
  private boolean searched;
  private long lastSearch;

  /**
   * @param between nanoseconds from one search of the directories to the next
   */
  JobWatch(JobTools tools, FsPath top, long between) {
    this.tools = tools;
    this.top = top;
    this.between = between;
  }

  /**
   * Returns the jobs that have not ended, or of which something is left. Two reads for each, and
   * one for each page of a long record. When directories are searched, what {@link JobTools#below}
   * costs too.
   *
   * @param nanos {@link System#nanoTime}
   * @param failures told of what could not be read
   */
  List<JobDescription> look(long nanos, Failures failures) throws IOException {
    if (!searched || nanos - lastSearch >= between) {
      search(failures);
      searched = true;
      lastSearch = nanos;
    }
    List<JobDescription> found = new ArrayList<>();
    for (RegisteredJob job : List.copyOf(known.values())) {
      boolean unused =
          failures.attempt(
              job.toString(),
              () -> {
                JobDescription description = tools.describe(job);
                if (hasEnded(description)) {
                  known.remove(job.record());
                  begun.remove(job.record());
                } else {
                  found.add(description);
                }
              });
    }
    return found;
  }

  private void search(Failures failures) throws IOException {
    List<IOException> failed = new ArrayList<>();
    List<RegisteredJob> below =
        tools.below(
            top,
            (subject, failure) -> {
              failed.add(failure);
              failures.add(subject, failure);
            });
    if (failed.isEmpty()) {
      known.clear();
    } // else jobs may be missing that are there
    below.forEach(job -> known.put(job.record(), job));
    begun.retainAll(known.keySet());
  }

  /** A record that was there and is gone belongs to a job that ended since the last search. */
  private boolean hasEnded(JobDescription job) {
    if (job.state().isPresent()) {
      begun.add(job.job().record());
      return false;
    }
    return job.hasEnded() || begun.contains(job.job().record());
  }
}
