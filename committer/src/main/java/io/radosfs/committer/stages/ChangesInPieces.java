// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.FileTable;
import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.job.FileObjects;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A job's changes in the form that transactions take, with the report if there is one. A new
 * directory gets the layout that the files in it were written with.
 */
final class ChangesInPieces implements TransactionChanges {

  private final Changes changes;
  private final FsPath destination;
  private final Optional<DataLayout> made;
  private final Optional<Entry> success;
  private final FileObjects objects;
  private final Runnable goesOn;

  /**
   * @param made the layout of the destination, if the transaction has to make that, even for no
   *     file
   * @param success the report
   * @param goesOn run for each piece
   */
  ChangesInPieces(
      Changes changes,
      FsPath destination,
      Optional<DataLayout> made,
      Optional<Entry> success,
      FileObjects objects,
      Runnable goesOn) {
    this.changes = changes;
    this.destination = destination;
    this.made = made;
    this.success = success;
    this.objects = objects;
    this.goesOn = goesOn;
  }

  @Override
  public Set<FsPath> directories() {
    Set<FsPath> all = new TreeSet<>(changes.added().directories());
    all.addAll(changes.removed().directories());
    if (success.isPresent() || made.isPresent()) {
      all.add(destination);
    }
    return all;
  }

  @Override
  public int size(FsPath directory) {
    return changes.added().size(directory)
        + changes.removed().size(directory)
        + (hasReport(directory) ? 1 : 0);
  }

  @Override
  public long bytes(FsPath directory) {
    return changes.added().storedBytes(directory)
        + changes.removed().storedBytes(directory)
        + (hasReport(directory) ? bytesOfReport() : 0);
  }

  private long bytesOfReport() {
    return EntryCodec.mostBytes(JobPlan.SUCCESS_NAME, success.orElseThrow());
  }

  private boolean hasReport(FsPath directory) {
    return success.isPresent() && directory.equals(destination);
  }

  @Override
  public DataLayout layout(FsPath directory) {
    if (made.isPresent() && directory.equals(destination)) {
      return made.get();
    }
    FileTable.Cursor files = changes.added().cursor(directory);
    return files.next() ? objects.layoutOf(files.file().data()) : DataLayout.DEFAULT;
  }

  @Override
  public void visit(FsPath directory, BatchLimit limit, Visitor visitor) throws IOException {
    Pieces pieces = new Pieces(directory, limit, visitor);
    FileTable.Cursor added = changes.added().cursor(directory);
    FileTable.Cursor removed = changes.removed().cursor(directory);
    long hashOfReport = FileTable.hash(JobPlan.SUCCESS_NAME);
    boolean reportDue = hasReport(directory);
    boolean moreAdded = added.next();
    boolean moreRemoved = removed.next();
    while (moreAdded || moreRemoved || reportDue) {
      long hash = reportDue ? hashOfReport : Long.MAX_VALUE;
      hash = moreAdded ? Math.min(hash, added.hash()) : hash;
      hash = moreRemoved ? Math.min(hash, removed.hash()) : hash;
      // An addition and a removal of one name have one hash, and so are in one piece.
      SortedMap<String, Entry> adds = new TreeMap<>();
      SortedMap<String, Entry> removes = new TreeMap<>();
      long bytes = 0;
      for (; moreAdded && added.hash() == hash; moreAdded = added.next()) {
        adds.put(added.name(), added.file());
        bytes += added.storedBytes();
      }
      for (; moreRemoved && removed.hash() == hash; moreRemoved = removed.next()) {
        removes.put(removed.name(), removed.file());
        bytes += removed.storedBytes();
      }
      if (reportDue && hash == hashOfReport) {
        adds.put(JobPlan.SUCCESS_NAME, success.orElseThrow());
        bytes += bytesOfReport();
        reportDue = false;
      }
      pieces.add(adds, removes, bytes);
    }
    pieces.end();
  }

  /** Collects a piece until it is full. */
  private final class Pieces {
    private final DataLayout layout;
    private final BatchLimit limit;
    private final Visitor visitor;
    private SortedMap<String, Entry> added = new TreeMap<>();
    private SortedMap<String, Entry> removed = new TreeMap<>();
    private long bytes;

    Pieces(FsPath directory, BatchLimit limit, Visitor visitor) {
      this.layout = layout(directory);
      this.limit = limit;
      this.visitor = visitor;
    }

    void add(SortedMap<String, Entry> adds, SortedMap<String, Entry> removes, long more)
        throws IOException {
      int names = added.size() + removed.size() + adds.size() + removes.size();
      if (!limit.allows(names, bytes + more)) {
        end();
      }
      bytes += more;
      added.putAll(adds);
      removed.putAll(removes);
    }

    void end() throws IOException {
      if (!added.isEmpty() || !removed.isEmpty()) {
        goesOn.run();
        visitor.visit(new DirectoryChange(added, removed, Map.of(), layout));
        added = new TreeMap<>();
        removed = new TreeMap<>();
        bytes = 0;
      }
    }
  }
}
