// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.FilePublisher;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.data.StripeTaker;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.operations.Sweep;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.transaction.deletion.DeferredDeletions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;

/**
 * Makes files of the data of replaced files that is still kept ({@link RetainedData}), without a
 * copy.
 *
 * <p><b>Steps of a file.</b> It gets a new uid, and is written to the ledger with it. Its first
 * stripe is taken from the replaced file, by one operation that is guarded with its owner; whoever
 * comes second is refused. Then the other stripes are taken, and the entry is published as that of
 * any new file: only if the name is free.
 *
 * <p><b>Collections.</b> A removal is guarded with the owner of each stripe ({@link StripeTaker}).
 * So none of a published file can be removed for the replaced one, whoever does it, and however
 * late. If a collection has removed a stripe before it is taken, nothing is published. The line of
 * the replaced file stays in its list until it is due; then nothing is left to remove.
 *
 * <p><b>Failures and crashes.</b> What was taken and cannot be published is retained data again,
 * with a line of its own, which comes before the ledger's goes. After a crash {@code radosfs gc}
 * writes that line, as it does with all ledgers: once the file cannot appear any more, and is in no
 * index. So something leads to each stripe at every instant: what leads to its owner (I4).
 *
 * <p>Thread-safe.
 */
public final class Restoration {

  private static final Comparator<Kept> NEWEST_FIRST =
      Comparator.comparing(Kept::path)
          .thenComparing(Comparator.comparingLong(Kept::until).reversed())
          .thenComparing(Comparator.comparingLong(Kept::modified).reversed())
          .thenComparing(kept -> kept.file().uid().value());

  private final Namespace namespace;
  private final ProcessLedger ledger;
  private final RetainedData retainedData;
  private final StripeTaker taker;
  private final Sweep sweep;
  private final DeferredDeletions deferredDeletions;

  public Restoration(
      Namespace namespace,
      ProcessLedger ledger,
      RetainedData retainedData,
      StripeTaker taker,
      Sweep sweep,
      DeferredDeletions deferredDeletions) {
    this.namespace = namespace;
    this.ledger = ledger;
    this.retainedData = retainedData;
    this.taker = taker;
    this.sweep = sweep;
    this.deferredDeletions = deferredDeletions;
  }

  /**
   * A replaced file of which a file can be made.
   *
   * @param until the data is kept until then, in milliseconds since the epoch
   * @param unseen why it could not be found out whether the data is there
   */
  public record Kept(Entry.OfFile file, long until, Optional<IOException> unseen) {

    private Kept unseen(IOException why) {
      return new Kept(file, until, Optional.of(why));
    }

    private void requireSeen() throws IOException {
      if (unseen.isPresent()) {
        throw unseen.get();
      }
    }

    /** The path that it was written to. No other is stored. */
    public FsPath path() {
      return file.data().origin();
    }

    /**
     * The path at which this is restored in a directory, with what was at or below another path.
     *
     * @throws FsPath.InvalidNameException if it is too long
     */
    public FsPath pathIn(FsPath directory, FsPath top) throws FsPath.InvalidNameException {
      return directory.resolve(path().equals(top) ? top.name() : path().relativeTo(top));
    }

    private boolean isAtPathOf(Kept other) {
      return path().equals(other.path());
    }

    /** When it was modified. */
    public long modified() {
      return file.attributes().modified();
    }
  }

  /**
   * Has the data of files that were replaced at a path or below it handed over to where {@link
   * #kept} finds it, as a sweep does: processes that died may not have come to that. A few reads
   * for each directory.
   *
   * @param failures told of each step that failed
   */
  public void handOver(FsPath top, Failures failures) throws IOException {
    if (!top.isRoot()) {
      boolean unused =
          failures.attempt(
              "directory " + top.parent(), () -> deferredDeletions.carryOut(top.parent()));
    }
    boolean unused =
        failures.attempt(
            "directory " + top,
            () -> {
              if (namespace.lookup(top).filter(Entry.OfDirectory.class::isInstance).isPresent()) {
                sweep.sweep(top, failures);
              }
            });
  }

  /**
   * The replaced files that were written to a path or below it, and whose data is there, by paths;
   * of several at one path the latest replaced comes first. Those that cannot be looked at are
   * among them, so that no earlier file takes the place of one. Not what was deleted, and is listed
   * too where its data could not be deleted yet. The reads of {@link RetainedData#list}, and one
   * for each file.
   *
   * @param failures told of lines that cannot be read
   */
  public List<Kept> kept(FsPath top, Failures failures) throws IOException {
    Map<Uid, Kept> listed = new HashMap<>();
    retainedData.list(
        line -> {
          Kept kept = new Kept(line.file(), line.until(), Optional.empty());
          if (line.isKept() && kept.path().isAtOrBelow(top)) {
            listed.merge(
                line.uid(), kept, (one, other) -> one.until() < other.until() ? other : one);
          }
        },
        failures);
    List<Kept> sorted = new ArrayList<>(listed.values());
    sorted.sort(NEWEST_FIRST);
    List<StripeTaker.Look> looks =
        taker.look(sorted.stream().map(kept -> kept.file().data()).toList());
    List<Kept> found = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      Kept kept = sorted.get(i);
      if (looks.get(i).there()) {
        found.add(kept);
      }
      looks.get(i).failure().ifPresent(why -> found.add(kept.unseen(why)));
    }
    return found;
  }

  /**
   * What was replaced last, and of several files at one path the latest: what is kept until the
   * latest time that there is, or at most so much shorter. The time of the replacement is not
   * stored apart from that, and a job replaces its files one directory after another.
   *
   * @param kept in the order of {@link #kept}
   * @param until leaves out what is kept for longer, in milliseconds since the epoch
   * @param within milliseconds
   */
  public static List<Kept> latest(List<Kept> kept, long until, long within) {
    long last = kept.stream().mapToLong(Kept::until).filter(time -> time <= until).max().orElse(0);
    List<Kept> latest = new ArrayList<>();
    for (Kept one : kept) {
      boolean another = latest.isEmpty() || !latest.get(latest.size() - 1).isAtPathOf(one);
      if (another && one.until() <= until && last - one.until() <= within) {
        latest.add(one);
      }
    }
    return latest;
  }

  /**
   * Checks that {@link #restore} would find the name free. One look-up.
   *
   * @throws FileAlreadyExistsException if there is something at the path
   * @throws IOException also if it could not be found out whether the data is there
   */
  public void requireFree(Kept kept, FsPath target) throws IOException {
    kept.requireSeen();
    Optional<Entry> there = namespace.lookup(target);
    if (there.isPresent()) {
      throw new FileAlreadyExistsException(target + " exists, and is not overwritten");
    }
  }

  /**
   * Makes a file of the data of a replaced one. Directories above it are made if they are missing.
   * It has the permission, owner and group of the replaced file, and no extended attributes. Two
   * writes and a read beside one write for each stripe; more for new directories.
   *
   * @throws FileAlreadyExistsException if there is something at the path
   * @throws FileNotFoundException if the data is gone, or another client has just taken it
   * @throws IOException also if it could not be found out whether the data is there
   */
  public void restore(Kept kept, FsPath target) throws IOException {
    kept.requireSeen();
    Namespace.NewFile made =
        namespace.create(
            target, /* overwrite= */ false, /* createParent= */ true, kept.file().attributes());
    FilePublisher publisher = made.publisher();
    boolean published = false;
    try {
      FileData data = kept.file().data().restoredAs(made.uid());
      Entry.OfFile file = new Entry.OfFile(data, kept.file().crc32c(), kept.file().attributes());
      ledger.beginRestored(target, file);
      if (!takeFirst(kept, file)) {
        ledger.crossOut(made.uid());
        throw new FileNotFoundException(
            "the data of "
                + kept.path()
                + " is gone, or another `radosfs restore` has just taken it; `radosfs restore --list`"
                + " tells what is kept");
      }
      finish(file, kept.until(), publisher);
      published = true;
    } finally {
      if (!published) {
        publisher.gaveUp();
      }
    }
  }

  private boolean takeFirst(Kept kept, Entry.OfFile file) throws IOException {
    try {
      return taker.takeFirst(kept.file().data(), file.data());
    } catch (IOException | RuntimeException e) {
      giveBack(file, kept.until(), false, e);
      throw e;
    }
  }

  private void finish(Entry.OfFile file, long until, FilePublisher publisher) throws IOException {
    boolean others = false;
    try {
      taker.takeOthers(file.data());
      others = true;
      publisher.publish(file.data(), file.crc32c());
    } catch (IOException e) {
      if (!others) {
        // Also where an object is missing: the taking of another may still be on its way.
        giveBack(file, until, false, e);
      } else if (!publisher.mayBePublished(e)) {
        giveBack(file, until, true, e);
      }
      throw e;
    }
  }

  /**
   * Has the data retained again.
   *
   * @param over whether nothing of it can be taken any more; else the line of the ledger stays
   */
  private void giveBack(Entry.OfFile file, long until, boolean over, Exception reason) {
    try {
      FollowUp.evenIfInterrupted(
          () -> {
            retainedData.keep(List.of(new DeferredDeletion.OfFile(file, until)));
            if (over) {
              ledger.crossOut(file.uid());
            }
          });
    } catch (IOException | RuntimeException e) {
      // The ledger leads to it.
      reason.addSuppressed(e);
    }
  }
}
