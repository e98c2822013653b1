// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.programs;

import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import java.io.IOException;

/** Connects twice, and prints why that fails. */
public final class ConnectingProgram {

  private ConnectingProgram() {}

  public static void main(String[] args) {
    for (int i = 0; i < 2; i++) {
      try (LibradosCluster cluster = LibradosCluster.connect(ClusterSettings.builder().build())) {
        System.out.println(cluster);
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
