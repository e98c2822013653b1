// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.mount.ExplainedDenials;
import io.radosfs.connector.retry.ContentionException;
import io.radosfs.connector.simulated.ScheduledHelpers;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * A client at work: what it has mounted and open, and the history that its calls go into. When it
 * is blocklisted it connects anew, as another process, after the call that noticed; when it has
 * closed its mount, it goes on with another.
 */
public final class Session {

  /** How far a client's clock may be ahead, or behind, in milliseconds. */
  public static final long MOST_AHEAD = 5_000;

  /** The most operations that a call may take, and the longest that it may wait. */
  private static final int MOST_OPS = 5_000;

  /**
   * Time passes in pauses alone. A driver that leaves its job to another pauses, for 50 ms, as
   * often as the other's commit has operations.
   */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(50).multipliedBy(MOST_OPS);

  /** Something that asks the file system. */
  @FunctionalInterface
  public interface Operation<T> {
    T run() throws IOException;
  }

  /** A file that is being written. */
  record Writing(FsPath path, StripedOutputStream stream, Call call, String content) {}

  /** A file that is being read. */
  record Reading(StripedInputStream stream, String file, String begun) {}

  /**
   * What a call begins with.
   *
   * @param struck how many faults had struck its client
   */
  private record Beginning(int struck, SimulatedMount mount) {}

  private final SimulatedClient client;
  private final Scenario scenario;
  private final History history;
  private final Tally tally;
  private final IntConsumer hold;
  private final Map<Object, Object> attachments = new HashMap<>();
  private final Set<FsPath> begun = new HashSet<>();
  private final Set<FsPath> known = new HashSet<>();
  private final Set<SimulatedMount> closed = new HashSet<>();
  private SimulatedMount mount;
  private Optional<Writing> writing = Optional.empty();
  private Optional<Reading> reading = Optional.empty();
  private int files;
  private int interrupts;
  private boolean closing;

  /** What is being called now. */
  private Optional<Call> running = Optional.empty();

  /** How it was with this client when a call began. */
  private final Map<Call, Beginning> beginnings = new HashMap<>();

  /** How a client mounts. */
  @FunctionalInterface
  public interface Mounting {
    SimulatedMount mount(SimulatedClient client) throws IOException;

    /** Makes the cluster what it is to be for all. */
    default void prepare(SimulatedCluster cluster) {}

    /** Whether a listing may take more than one read: pages, or the shards of an index. */
    default boolean listsInParts() {
      return false;
    }

    /** Whether drivers of jobs are among the clients. */
    default boolean hasJobs() {
      return false;
    }
  }

  /**
   * @param hold has the client not go on for so many turns
   */
  Session(SimulatedClient client, Scenario scenario, History history, Tally tally, IntConsumer hold)
      throws IOException {
    this.client = client.decorating(ExplainedDenials::of);
    this.hold = hold;
    this.scenario = scenario;
    this.history = history;
    this.tally = tally;
    this.mount = scenario.mounting().mount(client);
  }

  public SimulatedClient client() {
    return client;
  }

  /** Whether another program may have removed a transaction's mark. */
  boolean mayBeDamaged() {
    return scenario.mayBeDamaged();
  }

  /** Whether anybody collects garbage, and may take this process for dead. */
  private boolean mayBeTakenForDead() {
    return scenario.programs().toString().contains("Collect[");
  }

  /** What may happen to a file that this process writes. */
  List<DocumentedFailure> failuresOfWriting() {
    return mayBeTakenForDead() ? List.of(DocumentedFailure.TAKEN_FOR_DEAD) : List.of();
  }

  boolean listsInParts() {
    return scenario.mounting().listsInParts();
  }

  public SimulatedMount mount() {
    return mount;
  }

  /** How this client mounts, which a world that has more of it knows the type of. */
  public <T extends Mounting> T mounting(Class<T> type) {
    return type.cast(scenario.mounting());
  }

  History history() {
    return history;
  }

  /** Notes what is written to a file. */
  public void content(String file, String content) {
    history.content(file, content);
  }

  /** Notes what is wrong whatever the order of calls. */
  public void violation(String what) {
    history.violation(client.name() + ": " + what);
  }

  /** Whether what is told to clients may be lost in this run. */
  boolean losesAnswers() {
    return scenario.losesAnswers();
  }

  /** Whether this process is writing a file there, or has begun to in vain. */
  boolean hasBegun(FsPath path) {
    return begun.contains(path);
  }

  void begun(FsPath path) {
    begun.add(path);
  }

  /**
   * Whether this process remembers a directory as it was when it made a file there, so that the
   * next file may have the layout of then.
   */
  boolean knows(FsPath directory) {
    return known.contains(directory);
  }

  /** A file was made there. */
  void known(FsPath directory) {
    known.add(directory);
  }

  /** The process itself has changed the directories, or perhaps removed them. */
  void forget(Set<FsPath> directories) {
    known.removeAll(directories);
  }

  /** The process itself has removed or renamed what is there. */
  void forgetBelow(FsPath path) {
    known.removeIf(directory -> directory.isAtOrBelow(path));
  }

  /** What else this process has, made where there is none: gone with it. */
  public <T> T attachment(Class<T> type, Operation<T> maker) throws IOException {
    if (!attachments.containsKey(type)) {
      attachments.put(type, maker.run());
    }
    return type.cast(attachments.get(type));
  }

  Optional<Writing> writing() {
    return writing;
  }

  void writing(Optional<Writing> now) {
    writing = now;
  }

  Optional<Reading> reading() {
    return reading;
  }

  void reading(Optional<Reading> now) {
    reading = now;
  }

  /** A content that no other file has, of one stripe or of several. */
  public String newContent(boolean several) {
    return client.name() + files++ + (several ? " in more than one stripe" : "");
  }

  /** Does something, in the course of which something goes wrong. */
  public void struck(Fault fault, Predicate<OpInfo> which, int n, Step step) throws IOException {
    struck(fault, which, n, 0, step);
  }

  /**
   * The same.
   *
   * @param n the operation at which it does, of those that match; from 1
   * @param held for how many turns the client does not go on then, unless nobody else can
   */
  void struck(Fault fault, Predicate<OpInfo> which, int n, int held, Step step) throws IOException {
    AtomicInteger left = new AtomicInteger(n);
    strike(fault, op -> which.test(op) && left.decrementAndGet() == 0, held);
    step.run(this);
    left.set(0); // it was done with fewer
  }

  /** Has something go wrong at the first operation that matches. */
  void strike(Fault fault, Predicate<OpInfo> which, int held) {
    FaultPlan unused =
        client
            .faults()
            .once(
                op -> {
                  boolean twice = fault.action() == Fault.Action.TWICE;
                  boolean here = which.test(op) && !(twice && entersName(op));
                  if (here && fault.interrupts()) {
                    interrupts++;
                  }
                  if (here) {
                    hold.accept(held);
                  }
                  if (here && twice) {
                    running.ifPresent(this::mayHappenOnceMore);
                  }
                  return here;
                },
                fault);
  }

  /**
   * Whether it is the operation that gives a file or directory its name, and nothing more. Nothing
   * tells that others have taken the name away in between: docs/failures.md says so.
   */
  private static boolean entersName(OpInfo op) {
    String steps = op.summary();
    return steps.contains("setOmap(" + IndexKeys.ENTRY_PREFIX) && !steps.contains("removeOmap(");
  }

  /**
   * Others may have completed, and undone, what the first sending of a write has begun: the call
   * does the same again then, and is told what came of that.
   */
  private void mayHappenOnceMore(Call call) {
    mayHappen("forgotten by the OSD: " + call.what(), call.behaviour());
  }

  /** Has another thread of the process close the mount beside the next call. */
  void closingBeside() {
    closing = true;
  }

  /** Begins a call. */
  Call begin(String what, Behaviour behaviour) {
    Call call = history.invoked(client.name(), what, behaviour);
    beginnings.put(call, new Beginning(client.faults().struck().size(), mount));
    return call;
  }

  /** Runs a call, and takes in what a caller may be told; empty where it failed. */
  public <T> Optional<T> call(String what, Behaviour behaviour, Operation<T> operation)
      throws IOException {
    return run(begin(what, behaviour), operation);
  }

  /** What makes room, which at a quota must not need any itself. */
  <T> Operation<T> makingRoom(String what, Operation<T> operation) {
    return () -> {
      try {
        return operation.run();
      } catch (IOException e) {
        requireNoNeedOfRoom(what, e);
        throw e;
      }
    };
  }

  /** Notes a failure of what makes room by which it is told that there is none. */
  void requireNoNeedOfRoom(String what, IOException failure) {
    if (has(failure, Session::isForRoom) && !scenario.isFullAtTimes()) {
      violation("needs room to make room: " + what + ": " + failure);
    }
  }

  /** Notes what may have an effect at some time, once, by whomever: nobody waits for it. */
  public void mayHappen(String what, Behaviour behaviour) {
    Call unused = begin(what, behaviour);
  }

  /** Runs something that has no effect that can be seen. */
  public <T> Optional<T> unseen(String what, Operation<T> operation) throws IOException {
    return call(what, TreeBehaviours.nothing(), operation);
  }

  /** Runs what ends a call that was begun. */
  <T> Optional<T> run(Call call, Operation<T> operation) throws IOException {
    return run(call, operation, true);
  }

  /** Runs a part of a call that is not its end unless it fails. */
  <T> Optional<T> runUnlessFails(Call call, Operation<T> operation) throws IOException {
    return run(call, operation, false);
  }

  private <T> Optional<T> run(Call call, Operation<T> operation, boolean ends) throws IOException {
    Optional<Call> outer = running;
    running = Optional.of(call);
    int before = interrupts;
    long waited = client.waited();
    int ops = client.ops();
    boolean closes = closing;
    closing = false;
    try {
      T value = closes ? besideClosing(operation) : operation.run();
      if (ends) {
        history.returned(call, value);
      }
      if (interrupts > before && !Thread.currentThread().isInterrupted()) {
        history.violation("an interrupt was swallowed in: " + call);
      }
      return Optional.ofNullable(value);
    } catch (IOException e) {
      history.failed(call, e);
      if (e instanceof ContentionException) {
        violation("gave up though the others are few: " + call);
      } else {
        requireReason(call, e);
      }
      return Optional.empty();
    } finally {
      boolean unused = Thread.interrupted();
      running = outer;
      client.returned();
      requireBounded(call, client.ops() - ops, client.waited() - waited);
      if (client.isBlocklisted() && !client.crashed()) {
        connectAnew();
      } else if (closes && !client.crashed()) {
        mount = scenario.mounting().mount(client);
      }
    }
  }

  /** Notes the same of one that the call that runs does not throw. */
  void requireReason(IOException failure) {
    requireReason(running.orElseThrow(), failure);
  }

  /**
   * Notes a failure that says nothing of the tree, or that the outcome is unknown, for which there
   * is no reason, whatever others did beside the call.
   */
  private void requireReason(Call call, IOException failure) {
    if (!hasReason(call, failure)) {
      violation("failed for no reason: " + call + ": " + failure);
    }
  }

  /** Whether the tree is one, a fault, what happens to all, or the process itself. */
  private boolean hasReason(Call call, IOException failure) {
    Beginning beginning = beginnings.get(call);
    return Answer.kindOf(failure) == Answer.Kind.REFUSED
        || call.behaviour().mayFail(failure)
        || isOfJobInTheWay(failure)
        || client.faults().struck().size() > beginning.struck()
        || client.crashed()
        || closed.contains(beginning.mount()) && has(failure, Session::isOfClosing)
        || scenario.mayBeDamaged()
        || scenario.mayHaveNoRoom() && has(failure, Session::isForRoom);
  }

  /** Whatever changes a directory may meet a job in it, where there are jobs. */
  private boolean isOfJobInTheWay(IOException failure) {
    return scenario.mounting().hasJobs()
        && DocumentedFailure.OF_JOBS_IN_THE_WAY.stream().anyMatch(one -> one.is(failure));
  }

  /** What is told of what the process itself has closed. */
  private static boolean isOfClosing(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("closed");
  }

  private static boolean isForRoom(Throwable failure) {
    return failure instanceof StoreException store && store.is(StoreException.Kind.NO_SPACE);
  }

  /** Whether a failure, or one that it comes of, is such. */
  private static boolean has(Throwable failure, Predicate<Throwable> such) {
    return failure != null && (such.test(failure) || has(failure.getCause(), such));
  }

  private <T> T besideClosing(Operation<T> operation) throws IOException {
    Call close = begin("close", TreeBehaviours.nothing());
    closed.add(mount);
    AtomicReference<T> value = new AtomicReference<>();
    Operation<Boolean> asked =
        () -> {
          value.set(operation.run());
          return true;
        };
    Operation<Boolean> closed =
        () -> {
          try {
            mount.close();
            history.returned(close, true);
          } catch (IOException e) {
            history.failed(close, e); // whoever closes it is told
            requireReason(close, e);
          }
          return true;
        };
    ScheduledHelpers.loop(client).run(List.of(asked, closed), Operation::run);
    return value.get();
  }

  /** What others do is little, and what they leave is brought to its end at once. */
  private void requireBounded(Call call, int ops, long waited) {
    tally.call(ops, waited);
    if (ops > MOST_OPS || waited > LONGEST_WAIT.toNanos()) {
      violation("took " + ops + " operations and waited " + waited + " ns: " + call);
    }
  }

  private void connectAnew() throws IOException {
    writing.ifPresent(open -> history.abandoned(open.call()));
    writing = Optional.empty();
    reading = Optional.empty();
    attachments.clear();
    client.connectAnew();
    mount = scenario.mounting().mount(client);
  }
}
