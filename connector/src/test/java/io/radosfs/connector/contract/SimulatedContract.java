package io.radosfs.connector.contract;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** A pool of its own for each test, with objects so small that files have many. */
final class SimulatedContract extends AbstractFSContract {

  private static final String POOL = "my_pool";

  SimulatedContract(Configuration conf) {
    super(SimulatedConnections.configure(conf, SimulatedCluster.withPools(POOL)));
    conf.set("fs.rados.object.size", "4K");
    addConfResource("contract/rados.xml");
  }

  @Override
  public FileSystem getTestFileSystem() throws IOException {
    return FileSystem.get(URI.create("rados://" + POOL + "/"), getConf());
  }

  @Override
  public String getScheme() {
    return "rados";
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
