// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;

/**
 * A child of a directory as a reader sees it.
 *
 * @param entry without its extended attributes ({@link
 *     io.radosfs.connector.layout.Xattrs#leftOut()}), as a listing may hold very many entries
 */
public record VisibleChild(FsPath path, Entry entry) {

  public String name() {
    return path.name();
  }
}
