// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import java.util.concurrent.FutureTask;

/**
 * Run by a test in a JVM of its own: connects, as the first to load librados, from a thread that
 * has little stack left. Arguments: ceph.conf, user, keyring.
 */
public final class SmallStackProgram {

  private static final long STACK_BYTES = 256 << 10;

  private SmallStackProgram() {}

  @SuppressWarnings("SystemOut") // what it prints is what the test looks at
  public static void main(String[] arguments) throws Exception {
    ClusterSettings settings =
        ClusterSettings.builder()
            .confPath(arguments[0])
            .user(arguments[1])
            .keyring(arguments[2])
            .build();
    FutureTask<String> fsid =
        new FutureTask<>(
            () -> {
              try (LibradosCluster cluster = LibradosCluster.connect(settings)) {
                return cluster.fsid();
              }
            });
    new Thread(null, fsid, "small stack", STACK_BYTES).start();
    System.out.println("fsid " + fsid.get());
  }
}
