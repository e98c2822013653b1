// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.fs.CommonPathCapabilities;

/** The capabilities that {@code hasPathCapability} confirms, for every path. */
public final class Capabilities {

  private static final Set<String> TRUE =
      Set.of(
          CommonPathCapabilities.ABORTABLE_STREAM,
          CommonPathCapabilities.BULK_DELETE,
          CommonPathCapabilities.ETAGS_AVAILABLE,
          CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
          CommonPathCapabilities.FS_CHECKSUMS,
          CommonPathCapabilities.FS_PERMISSIONS,
          CommonPathCapabilities.FS_XATTRS,
          CommonPathCapabilities.VIRTUAL_BLOCK_LOCATIONS);

  private Capabilities() {}

  public static boolean has(String capability) {
    return TRUE.contains(capability.toLowerCase(Locale.ROOT));
  }
}
