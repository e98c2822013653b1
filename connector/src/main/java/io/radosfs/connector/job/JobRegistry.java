// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.read.StoredChildren;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;

/** Finds the jobs of a file system, without listing the pool. Thread-safe. */
public final class JobRegistry {

  private final Namespace namespace;
  private final Transactions transactions;
  private final RemovedJobs removedJobs;
  private final StoredChildren children;
  private final DirectoryLoop loop;

  /**
   * @param children reads the other entries of a directory that has an unreadable one
   * @param loop how several directories are read at a time
   */
  public JobRegistry(
      Namespace namespace,
      Transactions transactions,
      RemovedJobs removedJobs,
      StoredChildren children,
      DirectoryLoop loop) {
    this.namespace = namespace;
    this.transactions = transactions;
    this.removedJobs = removedJobs;
    this.children = children;
    this.loop = loop;
  }

  /**
   * Returns the jobs whose destination is this directory or below it, sorted by destination and id.
   * A job that is registered meanwhile may be missed. Two reads for each directory, one more for
   * every 1,024 entries; one read for the jobs in the list of ledgers, and one for those that are
   * registered above, as their destination is a file.
   *
   * @param failures told of directories and lines that cannot be read; the readable entries of such
   *     a directory are still searched
   */
  public List<RegisteredJob> below(FsPath top, Failures failures) throws IOException {
    Queue<RegisteredJob> found = new ConcurrentLinkedQueue<>();
    List<FsPath> level = List.of(top);
    while (!level.isEmpty()) {
      Queue<FsPath> next = new ConcurrentLinkedQueue<>();
      Map<String, IOException> failed = new ConcurrentSkipListMap<>();
      loop.run(level, directory -> read(directory, found, next, failed::put));
      for (Map.Entry<String, IOException> failure : failed.entrySet()) {
        failures.add(failure.getKey(), failure.getValue());
      }
      level = List.copyOf(next);
    }
    Map<String, RegisteredJob> all = new HashMap<>();
    if (!top.isRoot()) {
      // Those whose destination, this path, is a file.
      boolean unused =
          failures.attempt(
              "jobs of " + top.parent(),
              () -> {
                for (var above : transactions.registered(top.parent(), failures).entrySet()) {
                  RegisteredJob job = registered(above.getKey(), above.getValue());
                  if (job.destination().equals(top)) {
                    all.put(job.record(), job);
                  }
                }
              });
    }
    found.forEach(job -> all.put(job.record(), job));
    boolean unused =
        failures.attempt(
            ObjectNames.LEDGERS,
            () -> {
              for (Map.Entry<String, RemovedJobs.Line> line :
                  removedJobs.all(failures).entrySet()) {
                RegisteredJob listed = listed(line.getKey(), line.getValue());
                if (listed.destination().isAtOrBelow(top)) {
                  all.merge(
                      listed.record(),
                      listed,
                      (registered, same) -> registered.asListed(line.getValue()));
                }
              }
            });
    List<RegisteredJob> sorted = new ArrayList<>(all.values());
    sorted.sort(Comparator.comparing(RegisteredJob::destination).thenComparing(RegisteredJob::id));
    return sorted;
  }

  private void read(
      FsPath directory, Queue<RegisteredJob> found, Queue<FsPath> next, Failures failures)
      throws IOException {
    boolean listed =
        failures.attempt("jobs of " + directory, () -> registered(directory, found, failures));
    boolean unused =
        failures.attempt(
            "directory " + directory,
            () -> {
              try {
                for (Namespace.Child child : namespace.list(directory)) {
                  if (child.entry() instanceof Entry.OfDirectory) {
                    next.add(child.path());
                  }
                }
              } catch (FileNotFoundException e) {
                // Removed meanwhile, with all below it.
              } catch (LayoutException e) {
                failures.add("directory " + directory, e);
                readable(directory, next, failures);
              }
            });
  }

  private void registered(FsPath directory, Queue<RegisteredJob> found, Failures failures)
      throws IOException {
    for (Map.Entry<Transactions.Registration, Transactions.State> job :
        transactions.registered(directory, failures).entrySet()) {
      Transactions.Registration registration = job.getKey();
      found.add(registered(registration, job.getValue()));
    }
  }

  private static RegisteredJob registered(
      Transactions.Registration registration, Transactions.State decision) {
    FsPath directory = registration.coordinator();
    String record = registration.owner();
    return new RegisteredJob(
        ObjectNames.isJob(record) ? ObjectNames.destinationOf(record) : directory,
        directory,
        registration.id(),
        record,
        decision,
        /* registered= */ true,
        Optional.empty());
  }

  private void readable(FsPath directory, Queue<FsPath> next, Failures failures)
      throws IOException {
    children.visitReadable(
        directory,
        (name, entry) -> {
          if (entry instanceof Entry.OfDirectory && !next.contains(directory.child(name))) {
            next.add(directory.child(name));
          }
        },
        failures);
  }

  private static RegisteredJob listed(String record, RemovedJobs.Line line) throws IOException {
    return RegisteredJob.recorded(
        ObjectNames.destinationOf(record),
        ObjectNames.jobOf(record),
        Transactions.State.valueOf(line.status().state().name()),
        Optional.of(line));
  }

  /**
   * Notes when a job was first seen without a record. Its driver may be about to make the record,
   * may have died, or the job may have ended; a later look tells by the time passed. Two reads and
   * two writes; two reads and two writes more for each try that is repeated, as its answer was
   * lost.
   *
   * @param now milliseconds since the epoch
   * @return the job as it is registered now; empty if another client has changed its line meanwhile
   */
  public Optional<RegisteredJob> notice(RegisteredJob job, JobRecord record, long now)
      throws IOException {
    // Listed first, so that the record can be found even if the job ends meanwhile; by a line of
    // its own, which another collector that has ended the job does not remove. Before each further
    // try too: another may have seen the end of what an unanswered one has made, and of the line.
    AtomicReference<Optional<RemovedJobs.Line>> line = new AtomicReference<>(listAnew(job));
    if (line.get().isPresent()) {
      record
          .notice()
          .make(
              now,
              () -> {
                line.set(listAnew(job));
                return line.get().isPresent();
              });
      // The record may be made late, when another has ended the job, and removed the line.
      if (line.get().isPresent() && !removedJobs.isStill(line.get().get())) {
        return Optional.empty();
      }
    }
    return line.get().map(job::asListed);
  }

  private Optional<RemovedJobs.Line> listAnew(RegisteredJob job) throws IOException {
    return removedJobs.listAnew(job.record(), TransactionStatus.State.PENDING);
  }

  /**
   * Changes the line of a job whose record is about to be removed, so that it stays if another
   * client makes the record late. One write, or none if the job is not listed.
   *
   * @return the job as it is listed now; as before if another client has changed the line meanwhile
   */
  public RegisteredJob changeLine(RegisteredJob job) throws IOException {
    if (!job.listed()) {
      return job;
    }
    return removedJobs.change(job.line().get()).map(job::asListed).orElse(job);
  }

  /**
   * Removes a finished job from the list of ledgers, if it is there as it was found. At most one
   * write.
   */
  public void forget(RegisteredJob finished) throws IOException {
    if (finished.listed()) {
      removedJobs.forget(finished.line().get());
    }
  }
}
