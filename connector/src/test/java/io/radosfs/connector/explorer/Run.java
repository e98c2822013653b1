// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Chooser;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.TurnScheduler;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One run of a scenario, on a cluster of its own, and its checks. */
final class Run {

  private static final Duration BOUND = Duration.ofSeconds(20);

  /**
   * A recovery may itself leave something for the next one, but not for ever. The longest chain: a
   * job made its destination, and in it is that of another, which made it too. The first round ends
   * both jobs and removes the inner directory, the second the outer one, the third notices that a
   * job of a removed directory has no record, and the fourth forgets it.
   */
  private static final int LONG_AFTER = 4;

  /** More operations than any recovery takes that comes to an end. */
  private static final int MOST_OF_RECOVERY = 20_000;

  private static final int LOG_SHOWN = 200;
  private static final int RECOVERY_SHOWN = 20;

  /** What jobs write of themselves. */
  private static final String REPORT = "_SUCCESS";

  private static final Pattern UID = Pattern.compile("[0-9a-f]{24}");
  private static final Pattern MUST_GO = Pattern.compile("[xtjp]/.*");
  private static final Pattern BUSY = Pattern.compile("closing|frozen|splitting");

  private final World world;
  private final Scenario scenario;
  private final Chooser order;
  private final SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedMount.POOL, SimulatedMount.OTHER_POOL);
  private final History history = new History();
  private final Tally tally = new Tally();
  private final Set<Integer> states = new LinkedHashSet<>();
  private Optional<Throwable> failure = Optional.empty();
  private boolean judged;
  private boolean undecided;
  private int recoveries;
  private String turns = "";

  /** How many operations there were before the recovery. */
  private int executed;

  private Run(World world, Scenario scenario, Chooser order) {
    this.world = world;
    this.scenario = scenario;
    this.order = order;
  }

  /** In the order that the scenario draws. */
  static Run of(World world, Scenario scenario) {
    return of(world, scenario, new Ambush(scenario.schedule()));
  }

  static Run of(World world, Scenario scenario, Chooser order) {
    Run run = new Run(world, scenario, order);
    Uid.drawing(new Random(scenario.schedule()), run::runToItsEnd);
    return run;
  }

  Optional<Throwable> failure() {
    return failure;
  }

  /** Whether an order was searched for that explains what the clients were told. */
  boolean isJudged() {
    return judged;
  }

  /** Whether the search for an order was given up. */
  boolean isUndecided() {
    return undecided;
  }

  Set<Integer> states() {
    return states;
  }

  int operations() {
    return cluster.log().size();
  }

  /** What was met on the way. */
  Tally tally() {
    return tally;
  }

  /** The order in which the clients went on. */
  String turns() {
    return turns;
  }

  /** Every operation. */
  String log() {
    return cluster.log().toString();
  }

  /** All that is known of it, for people. */
  String describe() {
    return String.format(
        "%s%nthe order: %s%ncalls:%n%s%noperations:%n%s%nand after that:%n%s%nthe pool:%n%s",
        scenario,
        turns,
        history,
        cluster.log().before(executed, LOG_SHOWN),
        cluster.log().tail(RECOVERY_SHOWN),
        PoolChecker.describe(cluster.objects(SimulatedMount.POOL, "")));
  }

  private void runToItsEnd() {
    try {
      run();
    } catch (Throwable e) {
      failure = Optional.of(e);
    }
  }

  private void run() throws IOException {
    scenario.mounting().prepare(cluster);
    Session setUp = session("setup");
    for (Step step : scenario.setUp()) {
      step.run(setUp);
    }
    if (programs()) {
      checkDamaged();
      return;
    }
    cluster.setFull(SimulatedMount.POOL, false);
    cluster.setAtQuota(SimulatedMount.POOL, scenario.isAtQuotaAtTimes());
    checkPool(false);
    world.recover(recoverer());
    cluster.setAtQuota(SimulatedMount.POOL, false);
    if (cluster.landDelayedOps() > 0) {
      checkPool(false);
      world.recover(recoverer());
    }
    world.recover(recoverer());
    adoptTheRest();
    world.recover(recoverer());
    for (int round = 1; round <= LONG_AFTER; round++) {
      world.recoverLongAfter(recoverer(), round);
    }
    checkPool(true);
    requireNothingLeft();
    observe();
    requireNothingLost();
    requireNoViolations();
    requireLinearizable();
  }

  /**
   * What is asked where another program has damaged an index: that everything comes to its end, in
   * the programs and in the recovery, and that what is there can be read, or its damage is named.
   */
  private void checkDamaged() throws IOException {
    cluster.setFull(SimulatedMount.POOL, false);
    cluster.setAtQuota(SimulatedMount.POOL, false);
    int unused = cluster.landDelayedOps();
    SimulatedClient recoverer = recoverer();
    recoverer.faults().atOp(MOST_OF_RECOVERY, Fault.CRASH_BEFORE);
    world.recover(recoverer);
    list(SimulatedMount.of(cluster.client("observer")), FsPath.ROOT);
    requireNoViolations();
  }

  private static void list(SimulatedMount mount, FsPath directory) throws IOException {
    List<Namespace.Child> children;
    try {
      children = mount.namespace().list(directory);
    } catch (LayoutException damage) {
      assertThat(damage).hasMessageContaining("which has no key 't/");
      return;
    }
    for (Namespace.Child child : children) {
      if (child.entry() instanceof Entry.OfDirectory) {
        list(mount, child.path());
      }
    }
  }

  /**
   * Adopts all objects of other programs, as a user does in the end, who knows that nobody else
   * does. The first to do so may be stopped.
   */
  private void adoptTheRest() throws IOException {
    if (AdoptableObjects.in(cluster).isEmpty()) {
      return;
    }
    SplittableRandom random = new SplittableRandom(scenario.schedule());
    if (random.nextBoolean()) {
      Session stopped = session("stopped");
      Fault fault = random.nextBoolean() ? Fault.CRASH_BEFORE : Fault.CRASH_AFTER;
      stopped.client().faults().atOp(1 + random.nextInt(12), fault);
      try {
        adopt(stopped);
      } catch (ClientCrashed e) {
        // As it was to.
      }
    }
    Session last = session("last");
    adopt(last);
    Set<String> leaks =
        last.mount().check().run(false).findings().stream()
            .filter(finding -> finding.kind() == Finding.Kind.LEAK)
            .map(Finding::subject)
            .collect(Collectors.toSet());
    for (FsPath path : AdoptableObjects.in(cluster).keySet()) {
      if (leaks.contains(path.key()) && isFree(last.mount(), path)) {
        history.violation("object '" + path.key() + "' did not become a file, though it could");
      }
    }
  }

  private static void adopt(Session session) throws IOException {
    for (FsPath path : AdoptableObjects.in(session.client().cluster()).keySet()) {
      new AdoptionSteps.Adopt(path, true).run(session);
    }
  }

  /** A job whose driver's clock was ahead is taken for alive still, and may be in the way. */
  private static boolean isFree(SimulatedMount mount, FsPath path) throws IOException {
    if (mount.wiring().jobRegistry().below(FsPath.ROOT, Failures.END).stream()
        .anyMatch(job -> job.decision() == Transactions.State.PENDING)) {
      return false;
    }
    for (FsPath above = path.parent(); !above.isRoot(); above = above.parent()) {
      if (mount.namespace().lookup(above).filter(Entry.OfFile.class::isInstance).isPresent()) {
        return false;
      }
    }
    return mount.namespace().lookup(path).isEmpty();
  }

  /**
   * What other programs have put is there, as it was put or in a file, unless it was a file that
   * somebody has removed.
   */
  private void requireNothingLost() {
    Set<String> lost = history.foreign().contents();
    lost.removeAll(AdoptableObjects.in(cluster).values());
    for (String content : lost) {
      Call call =
          history.invoked(
              "observer",
              "object with '" + content + "', which is gone, was a file",
              TreeBehaviours.wasAdopted(history.filesOf(content)));
      history.returned(call, true);
    }
  }

  private void requireNoViolations() {
    if (!history.violations().isEmpty()) {
      throw new AssertionError(String.join("\n", history.violations()));
    }
  }

  /** Of a client that nobody else is beside. */
  private Session session(String client) throws IOException {
    return session(client, turns -> {});
  }

  private Session session(String client, IntConsumer hold) throws IOException {
    return new Session(cluster.client(client), scenario, history, tally, hold);
  }

  /** Answers whether an index was damaged meanwhile. */
  private boolean programs() throws IOException {
    DrawnTurns chooser = new DrawnTurns(scenario, cluster, order, tally);
    TurnScheduler scheduler = new TurnScheduler(cluster, chooser, BOUND);
    List<Throwable> bugs = new ArrayList<>();
    for (Scenario.Program program : scenario.programs()) {
      Session session = session(program.client(), turns -> chooser.hold(program.client(), turns));
      plan(session);
      scheduler.add(program.client(), () -> execute(program, session, bugs));
    }
    try {
      boolean unused = scheduler.run();
    } finally {
      turns = scheduler.schedule();
      executed = cluster.log().size();
      count();
      for (Scenario.Program program : scenario.programs()) {
        cluster.client(program.client()).faults().clear();
      }
    }
    if (!scheduler.overdue().isEmpty()) {
      throw new AssertionError(
          "something works on after its call has returned: " + scheduler.overdue());
    }
    synchronized (bugs) {
      if (!bugs.isEmpty()) {
        throw new AssertionError("a client threw " + bugs.get(0), bugs.get(0));
      }
    }
    return chooser.isDamaged();
  }

  private void plan(Session session) {
    for (Scenario.PlannedFault planned : scenario.faults()) {
      if (planned.client().equals(session.client().name())) {
        session.strike(planned.fault(), op -> isStruck(planned, op), planned.held());
      }
    }
  }

  private boolean isStruck(Scenario.PlannedFault planned, OpInfo op) {
    boolean here = planned.isAt(op);
    if (here) {
      tally.struck(planned.kind());
    }
    return here;
  }

  private void count() {
    Set<String> clients =
        scenario.programs().stream().map(Scenario.Program::client).collect(Collectors.toSet());
    long guards =
        cluster.log().entries().stream()
            .filter(entry -> clients.contains(entry.op().client()))
            .filter(entry -> entry.outcome().startsWith(Kind.GUARD_FAILED.toString()))
            .count();
    tally.run(guards, clients.stream().mapToLong(name -> cluster.client(name).retried()).sum());
  }

  private static void execute(Scenario.Program program, Session session, List<Throwable> bugs) {
    try {
      for (Step step : program.steps()) {
        step.run(session);
      }
      // What is read last may have been replaced since it was opened.
      NamespaceSteps.BeginToRead.end(session);
    } catch (ClientCrashed e) {
      // As it was to.
    } catch (Throwable e) {
      if (!session.client().crashed()) {
        synchronized (bugs) {
          bugs.add(e);
        }
      }
    }
  }

  private SimulatedClient recoverer() {
    return cluster.client("recovery-" + ++recoveries);
  }

  private void checkPool(boolean recovered) throws IOException {
    states.add(state());
    world.check(cluster, recovered);
  }

  /** The pool's contents, with random identities numbered in the order in which they occur. */
  private int state() {
    String text = PoolChecker.describe(cluster.objects(SimulatedMount.POOL, ""));
    Map<String, String> numbers = new HashMap<>();
    Matcher matcher = UID.matcher(text);
    return matcher
        .replaceAll(
            uid -> numbers.computeIfAbsent(uid.group(), any -> Integer.toString(numbers.size())))
        .hashCode();
  }

  private void requireNothingLeft() {
    List<String> left = new ArrayList<>();
    cluster
        .objects(SimulatedMount.POOL, "")
        .forEach(
            (name, object) -> {
              if (name.startsWith("//ledger/") || name.contains("//job/")) {
                left.add("object '" + name + "'");
              }
              for (String key : object.omap().keySet()) {
                if (MUST_GO.matcher(key).matches() || (name.equals("//ledgers"))) {
                  left.add("key " + key + " of '" + name + "'");
                }
              }
              byte[] head = object.omap().get("h");
              if (head != null && name.endsWith("/")) {
                String text = new String(head, java.nio.charset.StandardCharsets.UTF_8);
                if (BUSY.matcher(text).find()) {
                  left.add("directory '" + name + "' as " + text);
                }
              }
            });
    if (!left.isEmpty()) {
      throw new AssertionError("I4: left after all recovery: " + left);
    }
  }

  /** What a reader finds at the end, as one call after all others. */
  private void observe() throws IOException {
    SimulatedMount mount = SimulatedMount.of(cluster.client("observer"));
    Map<FsPath, Tree.Node> tree = new TreeMap<>();
    Call call = history.invoked("observer", "everything", TreeBehaviours.everything());
    observe(mount, FsPath.ROOT, tree);
    history.returned(call, tree);
  }

  private void observe(SimulatedMount mount, FsPath directory, Map<FsPath, Tree.Node> tree)
      throws IOException {
    for (Namespace.Child child : mount.namespace().list(directory)) {
      Tree.Node node = NamespaceSteps.node(child.entry());
      tree.put(
          child.path(),
          node.isDirectory() ? node.with(Optional.of(mount.layouts().of(child.path()))) : node);
      if (child.entry() instanceof Entry.OfFile file) {
        String uid = file.data().written().value();
        Optional<String> written = history.content(uid);
        String expected = written.orElse("nothing, as nobody has written it");
        String found;
        try {
          found = mount.read(file.data());
        } catch (IOException e) {
          throw new AssertionError("data is lost of " + child.path() + " (" + expected + ")", e);
        }
        boolean wrong =
            isReport(file.data()) && written.isEmpty() ? found.isEmpty() : !found.equals(expected);
        if (wrong) {
          throw new AssertionError(
              child.path() + " holds '" + found + "' and not '" + expected + "'");
        }
      } else {
        observe(mount, child.path(), tree);
      }
    }
  }

  /** Whether a job has written it of itself, under whatever name it is now. */
  static boolean isReport(FileData data) {
    return data.origin().name().equals(REPORT);
  }

  private void requireLinearizable() {
    Linearizability search = new Linearizability(history.calls());
    judged = true;
    switch (search.search(Tree.EMPTY)) {
      case EXPLAINED -> {}
      case UNDECIDED -> undecided = true;
      case INEXPLICABLE ->
          throw new AssertionError(
              "no order explains what the clients were told; " + search.furthest());
    }
  }
}
