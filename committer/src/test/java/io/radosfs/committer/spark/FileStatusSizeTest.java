// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.util.SizeEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Spark estimates what its cache of file statuses takes by walking all that a status reaches,
 * {@code transient} or not. A status that reached the mount took 18 MB and 130 ms.
 */
class FileStatusSizeTest {

  private static final int FILES = 100;

  private FileSystem fs;

  @BeforeEach
  void writeFiles() throws Exception {
    Configuration conf =
        SimulatedConnections.configure(
            new Configuration(false), SimulatedCluster.withPools("meta"));
    fs = FileSystem.newInstance(new Path("rados://meta/").toUri(), conf);
    for (int i = 0; i < FILES; i++) {
      fs.create(new Path("/table/k=1/part-0000" + i + ".snappy.parquet")).close();
    }
  }

  @AfterEach
  void close() throws Exception {
    fs.close();
  }

  @Test
  void aStatusIsNotMuchLargerThanHadoopsOwn() throws Exception {
    FileStatus[] ours = fs.listStatus(new Path("/table/k=1"));
    FileStatus[] hadoops = new FileStatus[FILES];
    for (int i = 0; i < FILES; i++) {
      FileStatus s = ours[i];
      hadoops[i] =
          new FileStatus(
              s.getLen(),
              false,
              1,
              s.getBlockSize(),
              s.getModificationTime(),
              0,
              s.getPermission(),
              s.getOwner(),
              s.getGroup(),
              new Path(s.getPath().toString()));
    }
    assertThat(SizeEstimator.estimate(ours)).isLessThan(SizeEstimator.estimate(hadoops) * 11 / 10);
  }

  @Test
  void aLocatedStatusIsNotMuchLargerThanHadoopsOwn() throws Exception {
    List<LocatedFileStatus> ours = new ArrayList<>();
    List<LocatedFileStatus> hadoops = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> listed = fs.listLocatedStatus(new Path("/table/k=1"));
    while (listed.hasNext()) {
      LocatedFileStatus status = listed.next();
      ours.add(status);
      BlockLocation[] locations = status.getBlockLocations().clone();
      hadoops.add(new LocatedFileStatus(new FileStatus(status), locations));
    }
    assertThat(ours).hasSize(FILES);
    assertThat(SizeEstimator.estimate(ours)).isLessThan(2 * SizeEstimator.estimate(hadoops));
  }
}
