// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.io.IOException;
import java.util.OptionalDouble;
import org.apache.hadoop.fs.Path;

/**
 * A job of some work, which is measured by itself.
 *
 * @param name for its figures
 * @param toDisk how many times as long as on the local disk it may take
 * @param commitSeconds how long its commitJob may take on rados://; if empty, commitJob is no
 *     figure
 */
public record WorkStep(String name, double toDisk, OptionalDouble commitSeconds, SparkJob job) {

  /** One job of Spark that writes. */
  @FunctionalInterface
  public interface SparkJob {

    /**
     * Runs it.
     *
     * @param directory which the step before has written, or which is not there yet
     */
    void run(Path directory) throws IOException;
  }

  WorkStep(String name, double toDisk, SparkJob job) {
    this(name, toDisk, OptionalDouble.empty(), job);
  }
}
