// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.deletion.ClosingDirectories;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import io.radosfs.connector.transaction.read.StoredChildren;
import io.radosfs.connector.transaction.read.VisibleChild;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.rename.Recovery;
import io.radosfs.connector.transaction.resolve.FreeNames;
import io.radosfs.connector.transaction.shard.IndexSplitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Finishes in a tree what crashed clients left: renames, decided transactions, removals of
 * directories, splits, data listed for deletion. Jobs are left alone. A rename that is still under
 * way is aborted, and its client tries it again; so a sweep is safe at any time.
 *
 * <p>The steps in a directory do not need each other: each is what any client does that comes by.
 * So a failed step stops neither the other steps nor other directories. Only if RADOS does not
 * answer, the rest of that directory is left out. If an entry of a directory cannot be read, its
 * other entries still lead to what is below.
 */
public final class Sweep {

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final DeferredDeletions deferredDeletions;
  private final ClosingDirectories closingDirectories;
  private final IndexSplitter splitter;
  private final StoredChildren storedChildren;
  private final Recovery recovery;

  public Sweep(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      DeferredDeletions deferredDeletions,
      ClosingDirectories closingDirectories,
      IndexSplitter splitter,
      StoredChildren storedChildren,
      Recovery recovery) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.deferredDeletions = deferredDeletions;
    this.closingDirectories = closingDirectories;
    this.splitter = splitter;
    this.storedChildren = storedChildren;
    this.recovery = recovery;
  }

  /** Sweeps a directory and all below it; a few reads for each. */
  public void sweep(FsPath directory) throws IOException {
    sweep(directory, Failures.END);
  }

  /**
   * The same.
   *
   * @param failures told of each step that failed
   */
  public void sweep(FsPath directory, Failures failures) throws IOException {
    Steps steps = new Steps(directory, failures);
    // First what makes room, as the others may need it.
    steps.run(() -> deferredDeletions.carryOut(directory));
    steps.run(() -> recovery.recover(directory));
    steps.run(() -> splitter.finish(directory));
    AtomicBoolean gone = new AtomicBoolean();
    steps.run(() -> gone.set(resolve(directory)));
    if (gone.get()) {
      return;
    }
    steps.run(() -> splitter.clear(directory));
    List<FsPath> below = new ArrayList<>();
    steps.run(() -> below.addAll(directories(directory, steps)));
    for (FsPath child : below) {
      sweep(child, failures);
    }
    steps.run(() -> deferredDeletions.carryOut(directory));
    steps.run(
        () -> {
          boolean unused = splitter.splitIfLarge(directory, 0);
        });
  }

  /** The steps in one directory, until RADOS does not answer. */
  private static final class Steps implements Failures {
    private final FsPath directory;
    private final Failures failures;
    private boolean unanswered;

    Steps(FsPath directory, Failures failures) {
      this.directory = directory;
      this.failures = failures;
    }

    void run(InvocationRaisingIOE step) throws IOException {
      if (!unanswered) {
        boolean unused = attempt("directory " + directory, step);
      }
    }

    @Override
    public void add(String subject, IOException failure) throws IOException {
      unanswered |= Failures.isUnanswered(failure);
      failures.add(subject, failure);
    }
  }

  /** Returns true if the directory was being removed, and now is gone. */
  private boolean resolve(FsPath directory) throws IOException {
    DirectoryView head = indexes.reader().keys(directory, List.of());
    if (head.head().filter(h -> h.is(IndexHead.State.CLOSING)).isPresent()) {
      closingDirectories.finish(directory, new Uid(head.head().orElseThrow().tag()));
      return true;
    }
    freeNames.resolveDecided(IndexObject.head(directory));
    if (head.isSharded()) {
      for (IndexObject shard : head.head().orElseThrow().shards().of(directory)) {
        freeNames.resolveDecided(shard);
      }
    }
    return false;
  }

  private List<FsPath> directories(FsPath directory, Failures failures) throws IOException {
    List<FsPath> found = new ArrayList<>();
    try {
      for (VisibleChild child : visible.list(directory)) {
        if (child.entry() instanceof Entry.OfDirectory) {
          found.add(child.path());
        }
      }
    } catch (LayoutException e) {
      found.clear();
      failures.add("directory " + directory, e);
      storedChildren.visitReadable(
          directory,
          (name, entry) -> {
            if (entry instanceof Entry.OfDirectory) {
              found.add(directory.child(name));
            }
          },
          failures);
    }
    return found;
  }
}
