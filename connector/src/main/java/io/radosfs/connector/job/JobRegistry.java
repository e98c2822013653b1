package io.radosfs.connector.job;

import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Transactions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Finds the jobs of a file system, without listing the pool. Thread-safe. */
public final class JobRegistry {

  private final Namespace namespace;
  private final Transactions transactions;
  private final Ledgers ledgers;
  private final DirectoryLoop loop;

  /**
   * @param loop how several directories are read at a time
   */
  public JobRegistry(
      Namespace namespace, Transactions transactions, Ledgers ledgers, DirectoryLoop loop) {
    this.namespace = namespace;
    this.transactions = transactions;
    this.ledgers = ledgers;
    this.loop = loop;
  }

  /**
   * The jobs whose destination is this directory or below it, by destination and id. What is
   * registered meanwhile may be missed. Two reads for each directory, one more for every 1,024
   * entries; one read for the jobs in the list of ledgers.
   */
  public List<RegisteredJob> below(FsPath top) throws IOException {
    Queue<RegisteredJob> found = new ConcurrentLinkedQueue<>();
    List<FsPath> level = List.of(top);
    while (!level.isEmpty()) {
      Queue<FsPath> next = new ConcurrentLinkedQueue<>();
      loop.run(level, directory -> read(directory, found, next));
      level = List.copyOf(next);
    }
    Map<String, RegisteredJob> all = new HashMap<>();
    found.forEach(job -> all.put(job.record(), job));
    for (Map.Entry<String, Decision> line : ledgers.jobs().entrySet()) {
      RegisteredJob listed = listed(line.getKey(), line.getValue());
      if (listed.destination().isAtOrBelow(top)) {
        all.merge(listed.record(), listed, (registered, same) -> registered.asListed());
      }
    }
    List<RegisteredJob> sorted = new ArrayList<>(all.values());
    sorted.sort(Comparator.comparing(RegisteredJob::destination).thenComparing(RegisteredJob::id));
    return sorted;
  }

  private void read(FsPath directory, Queue<RegisteredJob> found, Queue<FsPath> next)
      throws IOException {
    for (Map.Entry<Transactions.Registration, Transactions.State> job :
        transactions.registered(directory).entrySet()) {
      Transactions.Registration registration = job.getKey();
      found.add(
          new RegisteredJob(
              directory,
              registration.id(),
              registration.owner(),
              job.getValue(),
              /* listed= */ false));
    }
    try {
      for (Namespace.Child child : namespace.list(directory)) {
        if (child.entry() instanceof Entry.OfDirectory) {
          next.add(child.path());
        }
      }
    } catch (FileNotFoundException e) {
      // Removed meanwhile, with all below it.
    }
  }

  private static RegisteredJob listed(String record, Decision decision) throws IOException {
    return new RegisteredJob(
        ObjectNames.destinationOf(record),
        ObjectNames.jobOf(record),
        record,
        Transactions.State.valueOf(decision.state().name()),
        /* listed= */ true);
  }

  /**
   * Notes that a registered job has no record, so that its age is known to those who look again:
   * its driver is about to make the record, or has died. Two writes.
   *
   * @param now milliseconds since the epoch
   * @return the job as it is registered now
   */
  public RegisteredJob notice(RegisteredJob job, JobRecord record, long now) throws IOException {
    // Listed first, so that what is made of the record can be found even if the job ends meanwhile.
    ledgers.listJob(new Decision(Decision.State.PENDING, job.record()));
    boolean unused = record.notice(now);
    return job.asListed();
  }

  /** Takes a job that is finished off the list of ledgers. At most one write. */
  public void forget(RegisteredJob finished) throws IOException {
    if (finished.listed()) {
      ledgers.forgetJob(finished.record());
    }
  }
}
