// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.FileComparison;
import io.radosfs.connector.data.FileComparison.Difference;
import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.upkeep.Finding.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Checks that each file has all its objects, and that no other file has them. */
final class FileInspector {

  private final PoolView.Pools pools;
  private final Reached reached;
  private final Visibility visibility;
  private final Inspection found;
  private final boolean withData;
  private final Map<Uid, Owner> owners = new HashMap<>();
  private long files;

  /** A file, whose data it is. */
  private record Owner(FsPath path, Uid uid) {}

  /**
   * @param withData whether to check length and content of every object too: one read for each
   */
  FileInspector(
      PoolView.Pools pools,
      Reached reached,
      Visibility visibility,
      Inspection found,
      boolean withData) {
    this.pools = pools;
    this.reached = reached;
    this.visibility = visibility;
    this.found = found;
    this.withData = withData;
  }

  /** How many files were checked. */
  long files() {
    return files;
  }

  /** Checks the file whose entry is at the path. No read if all is well, except with data. */
  void inspect(FsPath path, Entry.OfFile file) throws IOException {
    FileData data = file.data();
    FileComparison comparison = new FileComparison(file);
    files++;
    reached.add(data);
    boolean unused =
        found.attempt(path.toString(), () -> owner(new Owner(path, data.uid()), data.written()));
    PoolView pool = pools.of(data);
    if (!reached.isListed(pool)) {
      return;
    }
    if (reached.isBeyond(pool, data)) {
      found.find(
          Kind.MISSING,
          path.toString(),
          "it should have " + data.stripes() + " objects, more than there are in its pool");
      return;
    }
    for (int k = 0; k < data.stripes(); k++) {
      String object = data.stripe(k);
      if (withData || !pool.names().contains(object)) {
        int stripe = k;
        boolean looked =
            found.attempt(
                "object '" + object + "'", () -> stripe(path, file, comparison, stripe, pool));
      }
    }
  }

  /**
   * @param data the uid in the names of its objects
   */
  private void owner(Owner owner, Uid data) throws IOException {
    Owner other = owners.put(data, owner);
    if (other != null
        && !visibility.isBeingMoved(owner.path())
        && !visibility.isBeingMoved(other.path())
        && visibility.isVisible(owner.path(), owner.uid())
        && visibility.isVisible(other.path(), other.uid())
        && visibility.isVisible(owner.path(), owner.uid())) {
      found.find(
          Kind.SHARED, owner.path().toString(), "has the data " + data + " of " + other.path());
    }
  }

  private void stripe(
      FsPath path, Entry.OfFile file, FileComparison comparison, int k, PoolView pool)
      throws IOException {
    FileData data = file.data();
    Optional<StoredStripe> found = pool.stripe(data.stripe(k), withData);
    if (!withData && found.isPresent()) {
      return;
    }
    Optional<Difference> difference = comparison.stripe(k, found);
    if (difference.isEmpty() && k == data.stripes() - 1) {
      difference = comparison.whole();
    }
    if (difference.isPresent()) {
      find(kind(difference.get()), path, data, text(difference.get()));
    }
  }

  private static Kind kind(Difference difference) {
    return switch (difference.kind()) {
      case MISSING -> Kind.MISSING;
      case LENGTH -> Kind.LENGTH;
      case FOREIGN -> Kind.FOREIGN;
      case CONTENT -> Kind.CONTENT;
    };
  }

  private static String text(Difference difference) {
    return "its object '" + difference.object() + "' " + difference.text();
  }

  /** Reports a finding, unless the file was removed since its entry was read. */
  private void find(Kind kind, FsPath path, FileData data, String detail) throws IOException {
    if (visibility.isVisible(path, data.uid())) {
      found.find(kind, path.toString(), detail);
    }
  }
}
