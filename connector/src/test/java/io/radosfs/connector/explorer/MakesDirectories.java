// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.FsPath;

/**
 * A mark of what may have prepared directories that nobody sees yet. Whoever makes such a directory
 * meanwhile makes the prepared one: with its layout, which stays if the other is aborted then.
 */
@FunctionalInterface
public interface MakesDirectories {

  /** Whether it may have prepared this directory. */
  boolean mayBeMaking(FsPath directory);
}
