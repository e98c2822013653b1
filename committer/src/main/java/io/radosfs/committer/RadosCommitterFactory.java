// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/** Makes {@link RadosOutputCommitter}s: {@code mapreduce.outputcommitter.factory.scheme.rados}. */
public class RadosCommitterFactory extends PathOutputCommitterFactory {

  @Override
  public PathOutputCommitter createOutputCommitter(Path outputPath, TaskAttemptContext context)
      throws IOException {
    return new RadosOutputCommitter(outputPath, context);
  }
}
