// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Identity;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.transaction.Transactions;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/** What a committer uses of one mounted file system, with that file system's user and umask. */
public final class MountedJobs implements JobSupport {

  private final Mount mount;
  private final CallableRaisingIOE<Closeable> keepOpen;
  private final ObjectStore index;
  private final Identity identity;
  private final FsPermission umask;

  /**
   * @param keepOpen keeps the mount open, see {@link JobSupport#keepOpen}
   */
  public MountedJobs(
      Mount mount, CallableRaisingIOE<Closeable> keepOpen, Identity identity, FsPermission umask)
      throws IOException {
    this.mount = mount;
    this.keepOpen = keepOpen;
    this.index = mount.index();
    this.identity = identity;
    this.umask = umask;
  }

  @Override
  public JobRecord record(FsPath destination, String jobId) {
    return new JobRecord(index, destination, jobId);
  }

  @Override
  public Transactions transactions() {
    return mount.transactions(newDirectoryAttributes());
  }

  @Override
  public BatchLimit batchLimit() {
    return mount.batchLimit();
  }

  @Override
  public Retries retries() {
    return mount.retries();
  }

  @Override
  public Namespace namespace() {
    return mount.namespace();
  }

  @Override
  public FileObjects objects() {
    return mount.fileObjects();
  }

  @Override
  public Attributes newFileAttributes() {
    return identity.attributes(FsPermission.getFileDefault().applyUMask(umask));
  }

  @Override
  public Attributes newDirectoryAttributes() {
    return identity.attributes(FsPermission.getDirDefault().applyUMask(umask));
  }

  @Override
  public long now() {
    return System.currentTimeMillis();
  }

  @Override
  public JobHeartbeats heartbeats() {
    return mount.jobHeartbeats();
  }

  @Override
  public Closeable keepOpen() throws IOException {
    return keepOpen.apply();
  }
}
