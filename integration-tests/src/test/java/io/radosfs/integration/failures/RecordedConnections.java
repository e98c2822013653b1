// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.LibradosConnections;
import io.radosfs.connector.store.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Connects to a real cluster, and writes down for a test in another process by which address: named
 * by {@code fs.rados.cluster.factory} in a process that has the property {@link #FOLDER}.
 */
public final class RecordedConnections implements ClusterFactory {

  /** The folder of the records: a file each, whose name begins with the process's id. */
  static final String FOLDER = "recorded.connections";

  @Override
  public Cluster connect(Settings settings) throws IOException {
    Cluster cluster = new LibradosConnections().connect(settings);
    Path folder = Path.of(System.getProperty(FOLDER));
    Path written = Files.createTempFile(folder, "writing", ".tmp");
    Files.writeString(written, cluster.address(), UTF_8);
    String name = ProcessHandle.current().pid() + "-" + System.nanoTime();
    // By a rename, so that a record is read whole.
    Files.move(written, folder.resolve(name));
    return cluster;
  }
}
