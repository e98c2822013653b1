// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace.Child;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Iterates over all that is below a directory; lists up to {@value #AT_ONCE} directories at a time.
 * Costs what the listings cost, and no look-ups.
 *
 * <p>Each directory is listed at one instant, but the tree is not: what is renamed meanwhile may be
 * met twice or not at all. A directory that is gone when its turn comes counts as empty.
 *
 * <p>Holds the children of the directories listed last, and the paths of those still to be listed.
 * Deep ones come first, so the latter are no more than the directories above them hold. Not
 * thread-safe.
 */
public final class TreeWalk implements RemoteIterator<Child> {

  static final int AT_ONCE = 16;

  /** Lists a directory, as {@link Namespace#list}. */
  @FunctionalInterface
  public interface Lister {
    List<Child> list(FsPath directory) throws IOException;
  }

  private final Lister lister;
  private final DirectoryLoop loop;
  private final Deque<FsPath> waiting = new ArrayDeque<>();
  private Iterator<Child> children;

  /**
   * @param loop lists several directories at a time
   * @throws FileNotFoundException if there is nothing at the top
   */
  public TreeWalk(FsPath top, Lister lister, DirectoryLoop loop) throws IOException {
    this.lister = lister;
    this.loop = loop;
    this.children = met(List.of(lister.list(top)));
  }

  @Override
  public boolean hasNext() throws IOException {
    while (!children.hasNext() && !waiting.isEmpty()) {
      children = listSome();
    }
    return children.hasNext();
  }

  /** The next file or directory, after {@link #hasNext} has said that there is one. */
  @Override
  public Child next() {
    return children.next();
  }

  private Iterator<Child> listSome() throws IOException {
    List<FsPath> some = new ArrayList<>(AT_ONCE);
    while (!waiting.isEmpty() && some.size() < AT_ONCE) {
      some.add(waiting.pop());
    }
    Map<FsPath, List<Child>> listings = new ConcurrentHashMap<>();
    loop.run(some, directory -> listings.put(directory, listUnlessGone(directory)));
    return met(some.stream().map(listings::get).toList());
  }

  private List<Child> listUnlessGone(FsPath directory) throws IOException {
    try {
      return lister.list(directory);
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  private Iterator<Child> met(List<List<Child>> listings) {
    for (int i = listings.size() - 1; i >= 0; i--) {
      List<Child> listing = listings.get(i);
      for (int k = listing.size() - 1; k >= 0; k--) {
        if (listing.get(k).entry() instanceof Entry.OfDirectory) {
          waiting.push(listing.get(k).path());
        }
      }
    }
    return listings.stream().flatMap(List::stream).iterator();
  }
}
