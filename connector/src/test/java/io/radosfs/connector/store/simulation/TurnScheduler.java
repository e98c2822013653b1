// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Runs client programs, each on a thread of its own, so that one goes on at a time: a program runs
 * until its next operation, and a {@link Chooser} says which of the waiting operations goes ahead.
 *
 * <p>A program that sleeps keeps its turn; one that waits for another client without operations of
 * its own is a failure after the bound. Operations that a program issues from threads of its own
 * take turns as their client's; how such threads share a turn is up to them. Helpers that it forks
 * by {@link SimulatedClient#fork} are chosen like clients of their own, named {@code a.1}, from
 * their first step on. One that waits for a lock that another thread of its client holds at its
 * next operation goes on after that one.
 */
public final class TurnScheduler implements OpGate {

  /** Between a client's name and a helper's number. */
  static final String HELPER = ".";

  /** Helpers of one client at a time. */
  private static final int MOST_HELPERS = 2;

  /** How often it is looked whether one waits for a lock, which nobody tells the scheduler. */
  private static final long LOOK_MILLIS = 1;

  private static final class Ticket {
    private final OpInfo op;
    private boolean granted;
    private boolean done;

    private Ticket(OpInfo op) {
      this.op = op;
    }
  }

  private static final class Lane {
    private final Thread thread;
    private final Condition changed;
    private final Deque<Ticket> waiting = new ArrayDeque<>();
    private final String client;
    private Ticket running;

    /** A helper's beginning; null of a program. */
    private OpInfo begins;

    private boolean finished;

    /** What it waits for that another thread of the program brings about; null for nothing. */
    private BooleanSupplier awaited;

    private boolean interrupted;

    /**
     * Whether it was found waiting for a lock of another thread of its client. It may have got the
     * lock since, and then waits before its next operation until it is let go on.
     */
    private boolean held;

    /** Whether the call has returned that this was to help. */
    private boolean overdue;

    private Lane(String client, Thread thread, Condition changed) {
      this.client = client;
      this.thread = thread;
      this.changed = changed;
    }

    private boolean parked() {
      return finished || !waiting.isEmpty() || awaited != null || held;
    }

    /** Whether what it waits for has come. */
    private boolean canGoOn() {
      return awaited != null && (interrupted || awaited.getAsBoolean());
    }
  }

  /**
   * Who may go on until its next wait.
   *
   * @param name of the lane
   * @param began by the clock of the JVM
   */
  private record Turn(String name, Lane lane, Ticket ticket, long began) {

    /** Whether who has it has come to its next wait. */
    boolean isOver() {
      return ticket.done && lane.parked();
    }
  }

  /**
   * That there are no turns any more.
   *
   * @param complete whether there is nobody left to have one; false if the chooser gave up
   * @param failure of the chooser, or null
   */
  private record End(boolean complete, AssertionError failure) {}

  /**
   * Guards everything here. Whoever comes to the end of its turn chooses the next one itself. So a
   * turn wakes up nobody but the one whose turn it is, and not even that one if it had the turn
   * before. Turns are most of what a run of the simulation does.
   */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * What the scheduler waits for: that a turn has ended after which it has to look itself, or that
   * there are no turns any more.
   */
  private final Condition turnEnded = lock.newCondition();

  private final SimulatedCluster cluster;
  private final Chooser chooser;
  private final Duration bound;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<Thread, Lane> helpers = new HashMap<>();
  private final List<String> turns = new ArrayList<>();
  private final List<String> overdue = new ArrayList<>();
  private int forked;
  private boolean abandoned;

  /** The turn that somebody has. */
  private Turn turn;

  /** Whether whoever ends its turn chooses the next one. */
  private boolean passing;

  /** How the turns have ended; null while there are more. */
  private End end;

  public TurnScheduler(SimulatedCluster cluster, Chooser chooser, Duration bound) {
    this.cluster = cluster;
    this.chooser = chooser;
    this.bound = bound;
  }

  /** Adds a client's program, which must not throw. */
  public void add(String client, Runnable program) {
    Lane unused = lane(client, client, program);
  }

  private Lane lane(String name, String client, Runnable program) {
    Thread thread =
        new Thread(
            () -> {
              try {
                program.run();
              } finally {
                finish(name);
              }
            },
            "simulated-" + name);
    thread.setDaemon(true);
    Lane lane = new Lane(client, thread, lock.newCondition());
    lanes.put(name, lane);
    return lane;
  }

  @Override
  public boolean fork(String client, Runnable work) {
    lock.lock();
    try {
      long helping =
          helpers.values().stream()
              .filter(lane -> !lane.finished && lane.client.equals(client))
              .count();
      if (abandoned || !lanes.containsKey(client) || helping >= MOST_HELPERS) {
        return false;
      }
      String name = client + HELPER + ++forked;
      OpInfo begins = new OpInfo(name, 0, 0, 0, false, "", "", "", Words.of("a helper begins"));
      Ticket ticket = new Ticket(begins);
      Lane lane =
          lane(
              name,
              client,
              () -> {
                if (awaitBeginning(ticket)) {
                  work.run();
                }
              });
      lane.begins = begins;
      lane.waiting.add(ticket);
      helpers.put(lane.thread, lane);
      lane.thread.start();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitBeginning(Ticket ticket) {
    lock.lock();
    try {
      ticket.done = awaitTurn(helpers.get(Thread.currentThread()), ticket);
      return ticket.done;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void await(String client, BooleanSupplier done) throws InterruptedException {
    lock.lock();
    try {
      Lane lane = helpers.getOrDefault(Thread.currentThread(), lanes.get(client));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      lane.awaited = done;
      endTurn();
      while (lane.awaited != null && !abandoned) {
        lane.changed.await();
      }
      if (lane.interrupted) {
        lane.interrupted = false;
        throw new InterruptedException();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void entering(String client) {
    lock.lock();
    try {
      Lane lane = helpers.getOrDefault(Thread.currentThread(), lanes.get(client));
      if (lane != null && lane.thread == Thread.currentThread()) {
        waitUntil(lane, () -> !lane.held);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean interrupt(OpInfo op) {
    lock.lock();
    try {
      Lane lane = lanes.get(op.client());
      if (lane == null || lane.thread == Thread.currentThread()) {
        Thread.currentThread().interrupt();
        return true;
      }
      if (lane.awaited != null) {
        lane.interrupted = true;
      } else {
        lane.thread.interrupt();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void returned(String client) {
    lock.lock();
    try {
      helpers.values().stream()
          .filter(lane -> !lane.finished && lane.client.equals(client))
          .forEach(
              lane -> {
                lane.overdue = true;
                // One that has only been asked to help finds nothing left to do.
                lane.waiting.stream()
                    .filter(ticket -> !ticket.op.equals(lane.begins))
                    .forEach(ticket -> overdue.add(ticket.op.toString()));
              });
    } finally {
      lock.unlock();
    }
  }

  /** The operations of helpers that came when the call that they helped had returned. */
  public List<String> overdue() {
    lock.lock();
    try {
      return List.copyOf(overdue);
    } finally {
      lock.unlock();
    }
  }

  private void finish(String client) {
    lock.lock();
    try {
      lanes.get(client).finished = true;
      endTurn();
    } finally {
      lock.unlock();
    }
  }

  /** Runs all programs to their ends; false when the chooser gave up. */
  public boolean run() {
    cluster.setGate(this);
    boolean complete = false;
    try {
      complete = runTurns();
      if (complete) {
        requireNoThreadLeft();
      }
      return complete;
    } finally {
      if (!complete) {
        abandon();
      }
      cluster.setGate(OpGate.OPEN);
    }
  }

  private boolean runTurns() {
    lock.lock();
    try {
      for (Map.Entry<String, Lane> entry : List.copyOf(lanes.entrySet())) {
        entry.getValue().thread.start();
        awaitThat(entry.getKey(), entry.getValue()::parked);
      }
      choose();
      while (end == null) {
        passing = true;
        awaitEndOfTurns();
        passing = false;
        if (end == null) {
          releaseAll();
          choose();
        }
      }
      if (end.failure() != null) {
        throw end.failure();
      }
      return end.complete();
    } finally {
      passing = false;
      lock.unlock();
    }
  }

  /** Gives somebody the turn, or finds that there are no more. */
  private void choose() {
    List<OpInfo> pending =
        lanes.entrySet().stream()
            .filter(lane -> !lane.getValue().waiting.isEmpty())
            .map(lane -> lane.getValue().waiting.peek().op.by(lane.getKey()))
            .toList();
    if (pending.isEmpty()) {
      requireAllFinished();
      end = new End(true, null);
      return;
    }
    String next = chooser.choose(pending, turn == null ? null : turn.name());
    if (next == null) {
      end = new End(false, null);
      return;
    }
    turns.add(next);
    Lane lane = lanes.get(next);
    Ticket ticket = lane.waiting.poll();
    lane.running = ticket;
    ticket.granted = true;
    turn = new Turn(next, lane, ticket, System.nanoTime());
    lane.changed.signalAll();
  }

  /**
   * Chooses who goes on if the turn is over. The scheduler does so itself where it has to let
   * somebody go on before, or to look who holds a lock.
   */
  private void endTurn() {
    if (!passing) {
      turnEnded.signal();
      return;
    }
    if (end != null || !turn.isOver()) {
      return;
    }
    if (lanes.values().stream().anyMatch(lane -> lane.held || lane.canGoOn())) {
      turnEnded.signal();
      return;
    }
    try {
      choose();
    } catch (RuntimeException | AssertionError e) {
      // On this thread it would be taken for the program's failure.
      end = new End(false, new AssertionError(e.getMessage(), e));
    }
    if (end != null) {
      turnEnded.signal();
    }
  }

  /** Lets those go on, one after another, for whom what they wait for has come. */
  private void releaseAll() {
    boolean any = true;
    while (any) {
      any = false;
      for (Map.Entry<String, Lane> entry : List.copyOf(lanes.entrySet())) {
        Lane lane = entry.getValue();
        if (lane.canGoOn() || (lane.held && !isBehindAnother(lane))) {
          any = true;
          lane.awaited = null;
          lane.held = false;
          lane.changed.signalAll();
          awaitThat(entry.getKey(), lane::parked);
        }
      }
    }
  }

  /**
   * Whether its thread waits for a lock that another thread of its client holds, which stays so for
   * as long as that one is parked.
   */
  private boolean isBehindAnother(Lane lane) {
    Thread.State state = lane.thread.getState();
    if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) {
      return false;
    }
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(lane.thread.getId());
    return info != null
        && lanes.values().stream()
            .filter(other -> other != lane && other.client.equals(lane.client) && other.parked())
            .anyMatch(other -> other.thread.getId() == info.getLockOwnerId());
  }

  private void requireAllFinished() {
    lanes.forEach(
        (name, lane) -> {
          if (!lane.finished) {
            throw new AssertionError(name + " waits for a helper that will not come");
          }
        });
  }

  /** The choices made so far, as {@link Chooser#replay} takes them: {@code a*3 b a}. */
  public String schedule() {
    lock.lock();
    try {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < turns.size(); ) {
        int end = i;
        while (end < turns.size() && turns.get(end).equals(turns.get(i))) {
          end++;
        }
        text.append(text.length() == 0 ? "" : " ").append(turns.get(i));
        if (end - i > 1) {
          text.append('*').append(end - i);
        }
        i = end;
      }
      return text.toString();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void before(OpInfo op) {
    boolean granted;
    lock.lock();
    try {
      granted = awaitTurn(op);
    } finally {
      lock.unlock();
    }
    if (!granted) {
      throw cluster.client(op.client()).crash("schedule abandoned");
    }
  }

  /** A client that a program opened besides its own has its program's turn. */
  private boolean awaitTurn(OpInfo op) {
    Lane lane = lane(op);
    if (lane == null) {
      return true;
    }
    if (lane.overdue) {
      overdue.add(op.toString());
    }
    Ticket ticket = new Ticket(op);
    lane.waiting.add(ticket);
    endTurn();
    return awaitTurn(lane, ticket);
  }

  private Lane lane(OpInfo op) {
    Lane helper = helpers.get(Thread.currentThread());
    return helper == null ? lanes.get(op.client()) : helper;
  }

  /** False when there are no turns any more. */
  private boolean awaitTurn(Lane lane, Ticket ticket) {
    waitUntil(lane, () -> ticket.granted);
    return ticket.granted;
  }

  /** Waits, also while interrupted, for what the scheduler brings about, or until it gives up. */
  private void waitUntil(Lane lane, BooleanSupplier condition) {
    while (!condition.getAsBoolean() && !abandoned) {
      lane.changed.awaitUninterruptibly();
    }
  }

  @Override
  public void after(OpInfo op) {
    lock.lock();
    try {
      Lane lane = lane(op);
      if (lane != null && lane.running != null && lane.running.op == op) {
        lane.running.done = true;
        if (lane.parked()) {
          endTurn(); // otherwise it goes on first
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until turns have come to an end, or to one after which this has to choose. */
  private void awaitEndOfTurns() {
    while (end == null && !turn.isOver()) {
      if (!awaitSignal(turn.name(), turn.lane(), turn.began())) {
        turn.lane().held |= isBehindAnother(turn.lane());
      }
    }
  }

  private void awaitThat(String name, BooleanSupplier condition) {
    Lane lane = lanes.get(name);
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (!awaitSignal(name, lane, began)) {
        lane.held |= isBehindAnother(lane);
      }
    }
  }

  /**
   * Waits for a client to come to its next wait. Returns false if it is time to look whether it
   * waits for a lock. To look at once would cost more than the turn: each look asks for a stack.
   *
   * @param began when it began to go on
   */
  private boolean awaitSignal(String client, Lane lane, long began) {
    long millis = (began + bound.toNanos() - System.nanoTime()) / 1_000_000;
    if (millis <= 0) {
      throw new AssertionError(
          client
              + " has neither reached an operation nor ended within "
              + bound
              + "; a program under the scheduler must not wait for another one except by"
              + " operations. It is at:\n"
              + Arrays.stream(lane.thread.getStackTrace())
                  .map(frame -> "\tat " + frame)
                  .collect(Collectors.joining("\n")));
    }
    try {
      return turnEnded.await(Math.min(millis, LOOK_MILLIS), MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while " + client + " had its turn", e);
    }
  }

  /** Every program has ended, so that its threads have nothing to live for. */
  private void requireNoThreadLeft() {
    for (Map.Entry<String, Lane> entry : lanes.entrySet()) {
      try {
        entry.getValue().thread.join(bound.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (entry.getValue().thread.isAlive()) {
        throw new AssertionError("the thread of " + entry.getKey() + " lives on");
      }
    }
  }

  /** Kills every client, so that the programs end. */
  private void abandon() {
    lock.lock();
    try {
      abandoned = true;
      lanes.values().forEach(lane -> lane.changed.signalAll());
    } finally {
      lock.unlock();
    }
    for (Lane lane : lanes.values()) {
      cluster.client(lane.client).crash("schedule abandoned");
      Thread thread = lane.thread;
      try {
        thread.join(1_000);
        if (thread.isAlive()) {
          thread.interrupt();
          thread.join(1_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
