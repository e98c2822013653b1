package io.radosfs.connector.contract;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;

public class StreamIOStatisticsContractTest extends AbstractContractStreamIOStatisticsTest {

  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new SimulatedContract(conf);
  }

  /** Bytes are counted when an object of the file is sent. */
  @Override
  public boolean streamWritesInBlocks() {
    return true;
  }
}
