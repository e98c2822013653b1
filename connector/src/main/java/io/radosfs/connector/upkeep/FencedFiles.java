// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Files in the ledgers of dead processes, whose directories are fenced. Something unreadable may
 * refer to any of them; so once something is unreadable, none of them is certain to be garbage.
 */
final class FencedFiles implements Suspects {

  private final Set<Uid> rest;
  private final Set<Uid> restored;
  private final Failures failures;
  private boolean unreadable;

  /**
   * @param restored those of them that were to be made of retained data. If that is retained again,
   *     a collection has given the file up, and may have ended before the ledger noted it
   * @param failures told of everything that cannot be read
   */
  FencedFiles(Collection<Uid> files, Collection<Uid> restored, Failures failures) {
    this.rest = new HashSet<>(files);
    this.restored = new HashSet<>(restored);
    this.failures = failures;
  }

  /** The files that were not cleared. */
  Set<Uid> rest() {
    return rest;
  }

  /** Whether something unreadable may refer to any of the rest. */
  boolean isUncertain() {
    return unreadable && !rest.isEmpty();
  }

  @Override
  public boolean none() {
    return rest.isEmpty();
  }

  @Override
  public boolean inVain() {
    return unreadable;
  }

  @Override
  public void file(FileData data) {
    file(data.uid());
  }

  @Override
  public void file(Uid uid) {
    rest.remove(uid);
  }

  @Override
  public void retained(FileData data) {
    if (!restored.contains(data.uid())) {
      file(data);
    }
  }

  @Override
  public void object(String name) {
    // Index objects are not files.
  }

  @Override
  public void unreadable(String subject, IOException why) throws IOException {
    unreadable = true;
    failures.add(subject, why);
  }
}
