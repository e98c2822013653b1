// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterTestSupport;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestCleanupStage;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestCommitTaskStage;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestCreateOutputDirectoriesStage;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestJobThroughManifestCommitter;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestLoadManifestsStage;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestManifestCommitProtocol;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestRenameStageFailure;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.TestTaskManifestFileIO;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.impl.TestEntryFileIO;

/** MapReduce's manifest committer, which commits by renaming, on {@code rados://}. */
public final class ManifestCommitterSuites {

  private ManifestCommitterSuites() {}

  public static class CleanupStage extends TestCleanupStage {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class CommitTaskStage extends TestCommitTaskStage {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class CreateOutputDirectoriesStage extends TestCreateOutputDirectoriesStage {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class JobThroughManifestCommitter extends TestJobThroughManifestCommitter {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class LoadManifestsStage extends TestLoadManifestsStage {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }

    /** Hadoop has 2,000: minutes, with objects of 4 KiB. */
    @Override
    protected int numberOfTaskAttempts() {
      return ManifestCommitterTestSupport.NUMBER_OF_TASK_ATTEMPTS_SMALL;
    }
  }

  public static class ManifestCommitProtocol extends TestManifestCommitProtocol {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class RenameStageFailure extends TestRenameStageFailure {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class TaskManifestFileIO extends TestTaskManifestFileIO {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }

  public static class EntryFileIO extends TestEntryFileIO {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }
  }
}
