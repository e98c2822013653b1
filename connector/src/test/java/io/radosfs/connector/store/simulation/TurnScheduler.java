package io.radosfs.connector.store.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Runs client programs, each on a thread of its own, so that one goes on at a time: a program runs
 * until its next operation, and a {@link Chooser} says which of the waiting operations goes ahead.
 *
 * <p>A program that sleeps keeps its turn; one that waits for another client without operations of
 * its own is a failure after the bound. Operations that a program issues from threads of its own
 * take turns as their client's; how such threads share a turn is up to them.
 */
public final class TurnScheduler implements OpGate {

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
    private final Deque<Ticket> waiting = new ArrayDeque<>();
    private Ticket running;
    private boolean finished;

    private Lane(Thread thread) {
      this.thread = thread;
    }

    private boolean parked() {
      return finished || !waiting.isEmpty();
    }
  }

  private final SimulatedCluster cluster;
  private final Chooser chooser;
  private final Duration bound;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final List<String> turns = new ArrayList<>();
  private boolean abandoned;

  public TurnScheduler(SimulatedCluster cluster, Chooser chooser, Duration bound) {
    this.cluster = cluster;
    this.chooser = chooser;
    this.bound = bound;
  }

  /** Adds a client's program, which must not throw. */
  public void add(String client, Runnable program) {
    Thread thread =
        new Thread(
            () -> {
              try {
                program.run();
              } finally {
                finish(client);
              }
            },
            "simulated-" + client);
    thread.setDaemon(true);
    lanes.put(client, new Lane(thread));
  }

  private synchronized void finish(String client) {
    lanes.get(client).finished = true;
    notifyAll();
  }

  /** Runs all programs to their ends; false when the chooser gave up. */
  public boolean run() {
    cluster.setGate(this);
    boolean complete = false;
    try {
      complete = runTurns();
      return complete;
    } finally {
      if (!complete) {
        abandon();
      }
      cluster.setGate(OpGate.OPEN);
    }
  }

  private synchronized boolean runTurns() {
    for (Map.Entry<String, Lane> entry : lanes.entrySet()) {
      entry.getValue().thread.start();
      await(entry.getKey(), entry.getValue()::parked);
    }
    String current = null;
    while (true) {
      List<OpInfo> pending =
          lanes.values().stream()
              .filter(lane -> !lane.waiting.isEmpty())
              .map(lane -> lane.waiting.peek().op)
              .toList();
      if (pending.isEmpty()) {
        return true; // each lane is parked, so each has finished
      }
      current = chooser.choose(pending, current);
      if (current == null) {
        return false;
      }
      turns.add(current);
      Lane lane = lanes.get(current);
      Ticket ticket = lane.waiting.poll();
      lane.running = ticket;
      ticket.granted = true;
      notifyAll();
      await(current, () -> ticket.done && lane.parked());
    }
  }

  /** The choices made so far, as {@link Chooser#replay} takes them: {@code a*3 b a}. */
  public synchronized String schedule() {
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
  }

  @Override
  public synchronized void before(OpInfo op) {
    Lane lane = lanes.get(op.client());
    if (lane == null) {
      return; // a client that a program opened besides its own: it has its program's turn
    }
    Ticket ticket = new Ticket(op);
    lane.waiting.add(ticket);
    notifyAll();
    boolean interrupted = false;
    while (!ticket.granted && !abandoned) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!ticket.granted) {
      throw cluster.client(op.client()).crash("schedule abandoned");
    }
  }

  @Override
  public synchronized void after(OpInfo op) {
    Lane lane = lanes.get(op.client());
    if (lane != null && lane.running != null && lane.running.op == op) {
      lane.running.done = true;
      notifyAll();
    }
  }

  private void await(String client, BooleanSupplier condition) {
    long end = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        throw new AssertionError(
            client
                + " has neither reached an operation nor ended within "
                + bound
                + "; a program under the scheduler must not wait for another one except by"
                + " operations. It is at:\n"
                + Arrays.stream(lanes.get(client).thread.getStackTrace())
                    .map(frame -> "\tat " + frame)
                    .collect(Collectors.joining("\n")));
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while " + client + " had its turn", e);
      }
    }
  }

  /** Kills every client, so that the programs end. */
  private void abandon() {
    synchronized (this) {
      abandoned = true;
      notifyAll();
    }
    for (Map.Entry<String, Lane> entry : lanes.entrySet()) {
      cluster.client(entry.getKey()).crash("schedule abandoned");
      Thread thread = entry.getValue().thread;
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
