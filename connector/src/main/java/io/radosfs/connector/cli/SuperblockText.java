// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.mount.Mount;

/** A superblock for display. */
final class SuperblockText {

  private SuperblockText() {}

  static Fields fields(Mount mount) {
    Superblock superblock = mount.superblock();
    return new Fields()
        .with("fileSystem", mount.authority().toString())
        .with("layoutVersion", Superblock.VERSION)
        .with("dataPool", superblock.dataPool().orElse(mount.authority().pool()))
        .with("objectSize", superblock.objectSize())
        .withTime("created", superblock.created());
  }
}
