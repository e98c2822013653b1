// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;

/** Run by a test in a JVM of its own, under {@code LC_ALL=C}: conf, user, keyring and pool. */
public final class PlainLocaleProgram {

  public static final String NAMESPACE = "caf\u00e9 \u65e5\u672c";
  public static final String OBJECT = "gr\u00f6\u00dfe/mit leerzeichen \ud83d\ude00";
  private static final String KEY = "e/\u00fc b";

  private PlainLocaleProgram() {}

  /** Exits with an exception if what is read is not what was written. */
  public static void main(String[] arguments) throws Exception {
    System.out.println("sun.jnu.encoding " + System.getProperty("sun.jnu.encoding"));
    ClusterSettings settings =
        ClusterSettings.builder()
            .confPath(arguments[0])
            .user(arguments[1])
            .keyring(arguments[2])
            .build();
    try (LibradosCluster cluster = LibradosCluster.connect(settings);
        ObjectStore store = cluster.open(arguments[3], NAMESPACE)) {
      byte[] value = OBJECT.getBytes(UTF_8);
      store.write(
          OBJECT,
          WriteOp.builder()
              .createExclusive()
              .setOmap(KEY, value)
              .setXattr("\u00fc", value)
              .build());
      ReadResult result =
          store.read(
              OBJECT, ReadOp.builder().omapRange("", "e/\u00fc", 10).xattr("\u00fc").build());
      String read = new String(result.omap(0).get(KEY), UTF_8);
      if (!read.equals(OBJECT) || result.xattr(1).isEmpty()) {
        throw new IllegalStateException("not what was written");
      }
    }
  }
}
