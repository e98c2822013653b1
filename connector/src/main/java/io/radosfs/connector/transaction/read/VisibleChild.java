package io.radosfs.connector.transaction.read;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;

/** A child of a directory as a reader sees it. */
public record VisibleChild(FsPath path, Entry entry) {

  public String name() {
    return path.name();
  }
}
