// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.committer.manifest.ManifestException;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The manifest of a task with 1,000 files. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ManifestCodecBenchmark {

  private static final int FILES = 1_000;
  private static final String JOB = "20261125-020000-0001";

  private final FsPath destination = SampleFiles.path(0).parent().parent().parent();
  private final TaskAttempt attempt = new TaskAttempt("m000003", "7");
  private final TaskManifest manifest;
  private final byte[] stored;

  public ManifestCodecBenchmark() {
    List<PromotedFile> files = new ArrayList<>();
    for (int number = 0; number < FILES; number++) {
      FsPath path = SampleFiles.path(number);
      files.add(new PromotedFile(path, SampleFiles.entry(path)));
    }
    manifest = new TaskManifest(JOB, attempt, 0, 1_763_723_000_123L, files);
    stored = manifest.encode(destination);
  }

  @Benchmark
  public byte[] encodeManifest() {
    return manifest.encode(destination);
  }

  @Benchmark
  public TaskManifest decodeManifest() throws ManifestException {
    return TaskManifest.decode("record", destination, JOB, attempt, stored);
  }
}
