// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** What Hadoop's suites ask of a file system: where it is, and what it claims to do. */
final class RadosContract extends AbstractFSContract {

  RadosContract(Configuration conf) {
    super(SuitePool.configure(conf));
    addConfResource("contract/rados.xml");
  }

  @Override
  public FileSystem getTestFileSystem() throws IOException {
    return FileSystem.get(SuitePool.uri(), getConf());
  }

  @Override
  public String getScheme() {
    return SuitePool.uri().getScheme();
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
