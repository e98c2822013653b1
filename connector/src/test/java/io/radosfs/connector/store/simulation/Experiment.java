// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Client programs, how to recover after them, and what must then hold; and the ways of running
 * them. Each run is on a cluster of its own: set-up, programs, check before recovery, recovery,
 * delayed writes landing (then recovery again), check. A failure's message names the run, how to
 * repeat it (for interleavings by one command, see {@link Replay}), and every operation.
 *
 * <pre>{@code
 * Experiment.named("rename across directories")
 *     .setUp(client -> ...)
 *     .program("a", client -> rename(client, "x/f", "y/f"))
 *     .recover(client -> recover(client))
 *     .check(trial -> ...)
 *     .everyStoppingPoint();
 * }</pre>
 *
 * <p>Programs may share nothing but the cluster, and must issue the same number of operations each
 * time when nothing happens to them. An IOException ends a program in an ordinary way: the check
 * sees it in the {@link Outcome}. Any other exception, unless the client has died, fails the run.
 * So does a failure of the first program in a run in which nothing has happened to it.
 */
public final class Experiment {

  /** Something that a client does. */
  public interface Action {
    void run(SimulatedClient client) throws Exception;
  }

  /** Something that a client does, with a result for the check. */
  public interface Computation {
    Object run(SimulatedClient client) throws Exception;
  }

  /** Throws unless all is as it should be. */
  public interface Check {
    void check(Trial trial) throws Exception;
  }

  private static final int MAX_OPS = 100_000;
  private static final int LOG_SHOWN = 400;

  private final String name;
  private final Map<String, Computation> programs = new LinkedHashMap<>();
  private final List<Consumer<SimulatedCluster>> preparations = new ArrayList<>();
  private Supplier<SimulatedCluster> clusters =
      () -> SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
  private Action setUp = client -> {};
  private boolean setUpOnce;
  private Action recovery;
  private Check checkBeforeRecovery = trial -> {};
  private Check check = trial -> {};
  private List<Fault> faults = Fault.STANDARD;
  private boolean writesOnly;
  private Duration bound = Duration.ofSeconds(20);
  private Replay replay = Replay.ofProperties();

  /** By place, what {@link #everyInsertion} has run, as nobody needs to run it again. */
  private final Map<Integer, Undisturbed> undisturbed = new HashMap<>();

  /** As the first set-up left it, where one is enough; null before. */
  private SimulatedCluster setUpCluster;

  private Experiment(String name) {
    this.name = name;
  }

  public static Experiment named(String name) {
    return new Experiment(name);
  }

  /** What was run before counts no more. */
  private Experiment changed() {
    undisturbed.clear();
    setUpCluster = null;
    return this;
  }

  /** How to make a cluster; by default one with a replicated pool "meta" and an EC pool "ec". */
  public Experiment cluster(Supplier<SimulatedCluster> supplier) {
    clusters = supplier;
    return changed();
  }

  /** What to do before the programs, by a client named "setup". */
  public Experiment setUp(Action action) {
    setUp = action;
    setUpOnce = false;
    return changed();
  }

  /**
   * The same, for a set-up that leaves nothing but what is in the pools: it is done before the
   * first run, and each other one begins with a copy.
   */
  public Experiment setUpOnce(Action action) {
    setUp(action);
    setUpOnce = true;
    return this;
  }

  /** A program of a client of this name. The first one added is the one that faults happen to. */
  public Experiment program(String client, Action action) {
    return computation(
        client,
        self -> {
          action.run(self);
          return null;
        });
  }

  /** A program whose result the check wants. */
  public Experiment computation(String client, Computation computation) {
    programs.put(client, computation);
    return changed();
  }

  /** What a process does that comes after ("recovery", "recovery-2", ...). It must not fail. */
  public Experiment recover(Action action) {
    recovery = action;
    return changed();
  }

  /** What must hold at the end of every run, after recovery. */
  public Experiment check(Check toCheck) {
    check = toCheck;
    return changed();
  }

  /** What must hold also before recovery: what readers may see at any instant, above all. */
  public Experiment checkBeforeRecovery(Check toCheck) {
    checkBeforeRecovery = toCheck;
    return changed();
  }

  /** Which faults the stopping points are tried with; {@link Fault#STANDARD} unless said. */
  public Experiment faults(List<Fault> toTry) {
    faults = List.copyOf(toTry);
    return this;
  }

  /** A fault that a client meets in every run, whatever else happens. */
  public Experiment standingFault(String client, Consumer<FaultPlan> plan) {
    preparations.add(cluster -> plan.accept(cluster.client(client).faults()));
    return changed();
  }

  /** Tries writes alone as stopping points: a crash at a read leaves nothing new behind. */
  public Experiment writesOnly() {
    writesOnly = true;
    return this;
  }

  /** What alone is to be run; by default as {@link Replay#ofProperties} says. */
  public Experiment replaying(Replay requested) {
    replay = requested;
    return this;
  }

  /** How long a program may go without an operation under the scheduler. */
  public Experiment bound(Duration toWait) {
    bound = toWait;
    return this;
  }

  /** Runs the programs one after the other with nothing going wrong. */
  public Report once() {
    run("nothing going wrong", this::runInOrder);
    return report("ran " + name, 1, true);
  }

  /**
   * For every operation of the first program and every fault: the first program with the fault, the
   * other programs after it, recovery, check.
   */
  public Report everyStoppingPoint() {
    if (replay.isRequested()) {
      return leftOut("stopping points");
    }
    int trials = 0;
    Set<Integer> opCounts = new LinkedHashSet<>();
    for (Fault fault : faults) {
      int n = 1;
      while (stopAt(n, fault)) {
        n++;
      }
      opCounts.add(n - 1);
      trials += n - 1;
    }
    String ops = opCounts.size() == 1 ? opCounts.iterator().next().toString() : opCounts.toString();
    return report(
        String.format(
            "tried %d stopping points of %s: %s %s x %d faults",
            trials, name, ops, writesOnly ? "writes" : "ops", faults.size()),
        trials,
        true);
  }

  /** One stopping point of {@link #everyStoppingPoint()}; false when there is no such operation. */
  public boolean stopAt(int n, Fault fault) {
    boolean writes = writesOnly || fault.forWritesOnly();
    AtomicBoolean struck = new AtomicBoolean();
    run(
        (writes ? "write " : "op ") + n + " of " + first() + ": " + fault,
        trial -> {
          strike(trial, first(), n, writes, fault, struck);
          runInOrder(trial);
        });
    return bounded(n) && struck.get();
  }

  /**
   * The first program dies after each of its writes, the recovery after that dies after each of its
   * own, and a second recovery must set all right.
   */
  public Report everyStoppingPointOfRecovery() {
    if (replay.isRequested()) {
      return leftOut("stopping points of recovery");
    }
    int trials = 0;
    int n = 1;
    for (boolean more = true; more; n++) {
      AtomicBoolean struck = new AtomicBoolean();
      AtomicBoolean struckRecovery = new AtomicBoolean();
      int m = 1;
      do {
        struck.set(false);
        struckRecovery.set(false);
        int write = n;
        int recoveryWrite = m;
        run(
            "dead after write " + n + " of " + first() + ", recovery dead after its write " + m,
            trial -> {
              strike(trial, first(), write, true, Fault.CRASH_AFTER, struck);
              strike(
                  trial, recoveryName(1), recoveryWrite, true, Fault.CRASH_AFTER, struckRecovery);
              runInOrder(trial);
            });
        trials++;
        m++;
      } while (bounded(m) && struckRecovery.get());
      more = bounded(n) && struck.get();
    }
    return report(
        String.format("tried %d pairs of stopping points of %s and its recovery", trials, name),
        trials,
        true);
  }

  /**
   * The second program runs as a whole before each operation of the first one, and after the last.
   * Finds most races at the cost of one run an operation.
   */
  public Report everyInsertion() {
    if (replay.isRequested()) {
      return leftOut("insertions");
    }
    int n = 1;
    while (insert(n)) {
      n++;
    }
    return report(
        String.format("tried %d insertions into %s: before each op and at the end", n, name),
        n,
        true);
  }

  /**
   * The second program runs as a whole before operation n of the first one, which dies after its
   * write m: every pair in which the death comes later.
   */
  public Report everyInsertionThenCrash() {
    return pairs(first(), "tried %d insertions into %s, followed by a crash");
  }

  /**
   * The second program starts before operation n of the first one and dies after its write m; the
   * first one goes on over what is left.
   */
  public Report everyInsertionOfCrash() {
    return pairs(second(), "tried %d insertions of a dying client into %s");
  }

  /**
   * Pairs of a place and a death. No run is repeated: a client that dies before the place does so
   * before each later one, and in which nobody dies is among those of {@link #everyInsertion}.
   */
  private Report pairs(String victim, String text) {
    if (replay.isRequested()) {
      return leftOut("insertions and crashes");
    }
    int trials = 0;
    int firstWrite = 1;
    boolean inside = true;
    for (int n = 1; inside; n++) {
      Undisturbed whole = undisturbed.get(n);
      for (int m = firstWrite; ; m++) {
        if (whole != null && m > whole.writes().get(victim)) {
          inside = whole.inside();
          break;
        }
        AtomicBoolean struck = new AtomicBoolean();
        inside = insert(n, struck, victim, m);
        if (!bounded(m) || !struck.get()) {
          break;
        }
        if (inside || !victim.equals(first())) {
          trials++;
        } else {
          firstWrite = m + 1; // it died before the second one's turn: a stopping point
        }
      }
    }
    return report(String.format(text, trials, name), trials, true);
  }

  /**
   * Each write of the first program is applied, and then once more ({@link Fault#TWICE}); the
   * second program runs as a whole in between.
   */
  public Report everyWriteTwice() {
    if (replay.isRequested()) {
      return leftOut("repeated writes");
    }
    int n = 1;
    while (repeat(n)) {
      n++;
    }
    return report(
        String.format("tried %d writes twice, with another program in between: %s", n - 1, name),
        n - 1,
        true);
  }

  private boolean repeat(int n) {
    AtomicBoolean struck = new AtomicBoolean();
    run(
        "write " + n + " of " + first() + " twice, " + second() + " in between",
        trial -> {
          strike(trial, first(), n, true, Fault.TWICE, struck);
          AtomicBoolean inserted = new AtomicBoolean();
          trial
              .cluster()
              .setGate(
                  new OpGate() {
                    @Override
                    public void after(OpInfo op) {
                      if (op.client().equals(first())
                          && struck.get()
                          && !inserted.getAndSet(true)) {
                        execute(trial, second());
                      }
                    }
                  });
          execute(trial, first());
          trial.cluster().setGate(OpGate.OPEN);
          executeOthers(trial, 2);
        });
    return bounded(n) && struck.get();
  }

  /**
   * The third program runs as a whole before each operation of the second one, and after its last,
   * which itself runs before each operation of the first one, and after its last.
   */
  public Report everyNestedInsertion() {
    if (replay.isRequested()) {
      return leftOut("nested insertions");
    }
    int trials = 0;
    boolean inside = true;
    for (int n = 1; inside; n++) {
      boolean deeper = true;
      for (int m = 1; deeper; m++) {
        Insertion outer = new Insertion(first(), n, second());
        Insertion inner = new Insertion(second(), m, third());
        run(
            outer + ", " + inner,
            trial -> {
              trial.cluster().setGate(nesting(trial, outer, inner));
              execute(trial, first());
              if (!outer.done().getAndSet(true)) {
                outer.atTheEnd().set(true);
                executeWith(trial, inner);
              }
              trial.cluster().setGate(OpGate.OPEN);
              executeOthers(trial, 3);
            });
        trials++;
        inside = bounded(n) && !outer.atTheEnd().get();
        deeper = bounded(m) && !inner.atTheEnd().get();
      }
    }
    return report(
        String.format("tried %d nested insertions of three clients: %s", trials, name),
        trials,
        true);
  }

  /** A program to be run before an operation of another one, or after its last. */
  private record Insertion(
      String into, int n, String inserted, AtomicBoolean done, AtomicBoolean atTheEnd) {

    private Insertion(String into, int n, String inserted) {
      this(into, n, inserted, new AtomicBoolean(), new AtomicBoolean());
    }

    /** Whether it is to be done now; once. */
    boolean isAt(OpInfo op) {
      return op.client().equals(into) && op.number() == n && !done.getAndSet(true);
    }

    @Override
    public String toString() {
      return inserted + " inserted before op " + n + " of " + into;
    }
  }

  private OpGate nesting(Trial trial, Insertion outer, Insertion inner) {
    return new OpGate() {
      @Override
      public void before(OpInfo op) {
        if (outer.isAt(op)) {
          executeWith(trial, inner);
        } else if (inner.isAt(op)) {
          execute(trial, inner.inserted());
        }
      }
    };
  }

  /** Runs the program that the insertion goes into, and the inserted one after it if not within. */
  private void executeWith(Trial trial, Insertion inner) {
    execute(trial, inner.into());
    if (!inner.done().getAndSet(true)) {
      inner.atTheEnd().set(true);
      execute(trial, inner.inserted());
    }
  }

  /** One insertion; false when the first program has no operation n to insert before. */
  private boolean insert(int n) {
    AtomicBoolean inserted = new AtomicBoolean();
    Map<String, Integer> writes = new HashMap<>();
    run(
        insertion(n),
        trial -> {
          insertSecond(trial, n, inserted);
          programs
              .keySet()
              .forEach(client -> writes.put(client, trial.cluster().client(client).writes()));
        });
    undisturbed.put(n, new Undisturbed(inserted.get(), writes));
    return bounded(n) && inserted.get();
  }

  /** The same with a death, if the victim comes to its write m. */
  private boolean insert(int n, AtomicBoolean struck, String victim, int m) {
    AtomicBoolean inserted = new AtomicBoolean();
    run(
        insertion(n) + "; " + victim + " dead after its write " + m,
        trial -> {
          strike(trial, victim, m, true, Fault.CRASH_AFTER, struck);
          insertSecond(trial, n, inserted);
        });
    return bounded(n) && inserted.get();
  }

  private String insertion(int n) {
    return second() + " inserted before op " + n + " of " + first();
  }

  /**
   * An insertion in which nobody died.
   *
   * @param inside whether the first program had an operation to insert before
   * @param writes of each program
   */
  private record Undisturbed(boolean inside, Map<String, Integer> writes) {}

  private void insertSecond(Trial trial, int n, AtomicBoolean inserted) {
    trial
        .cluster()
        .setGate(
            new OpGate() {
              @Override
              public void before(OpInfo op) {
                if (op.client().equals(first()) && op.number() == n && !inserted.getAndSet(true)) {
                  execute(trial, second());
                }
              }
            });
    execute(trial, first());
    trial.cluster().setGate(OpGate.OPEN);
    if (!inserted.get()) {
      requireSuccessWithoutFault(trial);
      execute(trial, second());
    }
    executeOthers(trial, 2);
  }

  /**
   * All interleavings of the programs' operations, leaving out those that nobody could tell from
   * another one, until there are no more or so many have been run.
   */
  public Report everyInterleaving(int maxRuns) {
    return interleavings(maxRuns, -1);
  }

  /** All interleavings with at most so many switches away from a client that could go on. */
  public Report everyInterleaving(int maxRuns, int maxPreemptions) {
    return interleavings(maxRuns, maxPreemptions);
  }

  private Report interleavings(int maxRuns, int maxPreemptions) {
    if (replay.schedule().isPresent()) {
      return replay(replay.schedule().get());
    }
    if (replay.isRequested()) {
      return leftOut("interleavings");
    }
    Chooser.Exhaustive chooser = new Chooser.Exhaustive(maxPreemptions);
    int runs = 0;
    boolean more = chooser.advance();
    while (more && runs < maxRuns) {
      if (interleave("interleaving", chooser, Optional.empty())) {
        runs++;
      }
      more = chooser.advance();
    }
    String within = maxPreemptions < 0 ? "" : " with at most " + maxPreemptions + " preemptions";
    String extent = more ? "the first %d interleavings" : "all %d interleavings";
    return report(String.format("tried " + extent + " of %s%s", runs, name, within), runs, !more);
  }

  /** So many interleavings chosen by chance, from consecutive seeds. */
  public Report randomInterleavings(long seed, int runs) {
    if (replay.seed().isPresent()) {
      return seeds(replay.seed().get(), replay.runs());
    }
    if (replay.isRequested()) {
      return leftOut("random interleavings");
    }
    return seeds(seed, runs);
  }

  private Report seeds(long seed, int runs) {
    for (long s = seed; s < seed + runs; s++) {
      interleave("interleaving by seed " + s, Chooser.random(s), Optional.of(s));
    }
    return report(
        String.format(
            "tried %d random interleavings of %s, seeds %d to %d",
            runs, name, seed, seed + runs - 1),
        runs,
        false);
  }

  /** The interleaving that a failure's message gave. */
  public Report replay(String schedule) {
    interleave("replay", Chooser.replay(schedule), Optional.empty());
    return report("replayed " + schedule + " of " + name, 1, false);
  }

  /**
   * @param seed that the chooser has, to say how the run is repeated
   */
  private boolean interleave(String description, Chooser chooser, Optional<Long> seed) {
    AtomicBoolean complete = new AtomicBoolean();
    run(
        description,
        trial -> {
          TurnScheduler scheduler = new TurnScheduler(trial.cluster(), chooser, bound);
          List<Throwable> bugs = new ArrayList<>();
          for (String client : programs.keySet()) {
            scheduler.add(
                client,
                () -> {
                  try {
                    execute(trial, client);
                  } catch (Throwable e) {
                    synchronized (bugs) {
                      bugs.add(e);
                    }
                  }
                });
          }
          try {
            complete.set(scheduler.run());
          } finally {
            String schedule = scheduler.schedule();
            trial.describe(description + ", replay(\"" + schedule + "\")");
            trial.repeatBy(seed.map(Replay::command).orElseGet(() -> Replay.command(schedule)));
          }
          synchronized (bugs) {
            if (complete.get() && !bugs.isEmpty()) {
              throw new AssertionError("a program failed", bugs.get(0));
            }
          }
          if (!complete.get()) {
            throw new Redundant();
          }
        });
    return complete.get();
  }

  /** The schedule need not be run to its end. */
  private static final class Redundant extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private interface Body {
    void run(Trial trial) throws Exception;
  }

  /** One run: set-up, body, recovery, check. */
  private void run(String description, Body body) {
    boolean isSetUp = setUpCluster != null;
    Trial trial = new Trial(isSetUp ? setUpCluster.copy() : clusters.get(), description);
    try {
      if (!isSetUp) {
        setUp.run(trial.cluster().client("setup"));
        setUpCluster = setUpOnce ? trial.cluster().copy() : null;
      }
      preparations.forEach(preparation -> preparation.accept(trial.cluster()));
      body.run(trial);
      checkBeforeRecovery.check(trial);
      recover(trial);
      check.check(trial);
    } catch (Redundant e) {
      return;
    } catch (Throwable e) {
      throw new AssertionError(
          String.format(
              "%s, %s: %s%s%noutcomes: %s%noperations:%n%s",
              name,
              trial.description(),
              e,
              trial.repetition(),
              trial.outcomes(),
              trial.cluster().log().tail(LOG_SHOWN)),
          e);
    } finally {
      trial.cluster().setGate(OpGate.OPEN);
    }
  }

  private void recover(Trial trial) throws Exception {
    recoverOnce(trial);
    if (trial.cluster().landDelayedOps() > 0) {
      recoverOnce(trial);
    }
  }

  /** Recovers by a new client, and by another one if a fault kills it. */
  private void recoverOnce(Trial trial) throws Exception {
    if (recovery == null) {
      return;
    }
    int attempt = 1;
    while (trial.cluster().clientNames().contains(recoveryName(attempt))
        && trial.cluster().client(recoveryName(attempt)).ops() > 0) {
      attempt++;
    }
    SimulatedClient client = trial.cluster().client(recoveryName(attempt));
    try {
      recovery.run(client);
    } catch (Throwable e) {
      if (!client.crashed()) {
        throw e;
      }
    }
    if (client.crashed()) {
      recovery.run(trial.cluster().client(recoveryName(attempt + 1)));
    }
  }

  private static String recoveryName(int attempt) {
    return attempt == 1 ? "recovery" : "recovery-" + attempt;
  }

  private void runInOrder(Trial trial) {
    execute(trial, first());
    requireSuccessWithoutFault(trial);
    executeOthers(trial, 1);
  }

  private void executeOthers(Trial trial, int from) {
    programs.keySet().stream().skip(from).forEach(client -> execute(trial, client));
  }

  private void requireSuccessWithoutFault(Trial trial) {
    Outcome outcome = trial.outcome(first());
    if (outcome.failed() && trial.cluster().client(first()).faults().struck().isEmpty()) {
      throw new AssertionError(outcome + ", though nothing went wrong", outcome.failure());
    }
  }

  private void execute(Trial trial, String client) {
    SimulatedClient self = trial.cluster().client(client);
    Object value = null;
    Throwable failure = null;
    try {
      value = programs.get(client).run(self);
    } catch (Throwable e) {
      failure = e;
    }
    Outcome outcome = new Outcome(client, value, failure, self.crashed());
    trial.record(outcome);
    if (outcome.isBug()) {
      throw new AssertionError(outcome.toString(), failure);
    }
  }

  private static void strike(
      Trial trial, String client, int n, boolean writes, Fault fault, AtomicBoolean struck) {
    trial
        .cluster()
        .client(client)
        .faults()
        .once(
            op -> {
              boolean here = writes ? op.write() && op.ordinal() == n : op.number() == n;
              if (here) {
                struck.set(true);
              }
              return here;
            },
            fault);
  }

  private static boolean bounded(int n) {
    if (n > MAX_OPS) {
      throw new AssertionError("more than " + MAX_OPS + " operations: does the program end?");
    }
    return true;
  }

  private String first() {
    return programs.keySet().iterator().next();
  }

  private String second() {
    return program(1);
  }

  private String third() {
    return program(2);
  }

  private String program(int index) {
    return programs.keySet().stream()
        .skip(index)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("it needs " + (index + 1) + " programs"));
  }

  private Report leftOut(String what) {
    return printed(
        new Report(
            "left out the " + what + " of " + name + ", as " + replay + " was asked for",
            0,
            true,
            true));
  }

  private static Report report(String text, int trials, boolean complete) {
    return printed(new Report(text, trials, complete, false));
  }

  private static Report printed(Report report) {
    System.out.println(report);
    return report;
  }
}
