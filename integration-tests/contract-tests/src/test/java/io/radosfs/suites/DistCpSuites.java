// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.tools.contract.AbstractContractDistCpTest;

/** DistCp between {@code rados://} and the local file system, both ways. */
public final class DistCpSuites {

  private DistCpSuites() {}

  public static class DistCp extends AbstractContractDistCpTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new RadosContract(conf);
    }

    /** Of its large files; 64 objects, as 256 MiB have with objects of the usual size. */
    @Override
    protected int getDefaultDistCPSizeKb() {
      return 256;
    }
  }
}
