// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobLayouts;
import io.radosfs.connector.job.WorkFiles;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.upkeep.IndexSearch;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The parts of one file system that jobs use, put together with those of its {@link Wiring}: on a
 * cluster and in a simulation the same.
 *
 * @param objects the objects of files, as far as jobs need them
 * @param workFiles the files below the work paths of jobs
 * @param heartbeats of the jobs that are driven from here
 */
public record JobParts(FileObjects objects, WorkFiles workFiles, JobHeartbeats heartbeats) {

  /**
   * Puts the parts together. No RADOS operation.
   *
   * @param modified gives the modification times of tasks' files, milliseconds since the epoch
   * @param clock of the heartbeats, milliseconds since the epoch
   * @param before those of a connection that this one replaces: the jobs that are driven, and the
   *     files that were closed, go on with this one
   */
  public static JobParts of(
      Wiring wiring, LongSupplier modified, LongSupplier clock, Optional<JobParts> before) {
    ObjectStore index = wiring.place().index();
    FileObjects objects =
        new FileObjects(
            wiring.place().data(),
            wiring.remover(),
            wiring.place().objectSize(),
            new JobLayouts(wiring.pools(), wiring.layouts()),
            new IndexSearch(wiring.indexes().reader(), wiring.retainedData()));
    if (before.isEmpty()) {
      return new JobParts(
          objects, new WorkFiles(index, objects, modified), new JobHeartbeats(clock));
    }
    JobHeartbeats heartbeats = before.get().heartbeats();
    heartbeats.moveTo(index);
    return new JobParts(objects, before.get().workFiles().in(index, objects), heartbeats);
  }
}
