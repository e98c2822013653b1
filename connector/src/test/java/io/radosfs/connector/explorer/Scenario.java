// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run consists of: drawn by a seed, and made smaller by taking things away.
 *
 * @param setUp what is done before, by one client
 * @param programs of clients
 * @param faults of clients
 * @param disturbances of all
 * @param schedule the seed of the order in which clients go on, and of their uids
 */
record Scenario(
    Session.Mounting mounting,
    List<Step> setUp,
    List<Program> programs,
    List<PlannedFault> faults,
    List<Disturbance> disturbances,
    long schedule) {

  /** What one client does. */
  record Program(String client, List<Step> steps) {
    @Override
    public String toString() {
      return "  "
          + client
          + ": "
          + steps.stream().map(Step::toString).collect(Collectors.joining("; "));
    }
  }

  /**
   * A fault of a client at its n-th operation of a kind.
   *
   * @param writes whether writes alone are counted
   * @param held for how many turns the client does not go on after it, unless nobody else can:
   *     others may undo what it did, or do it again, before it looks
   */
  record PlannedFault(String client, boolean writes, int n, Fault fault, int held) {

    boolean isAt(OpInfo op) {
      return writes ? op.write() && op.ordinal() == n : op.number() == n;
    }

    /** What is counted: of a write that comes late, whatever the delay. */
    String kind() {
      return fault.landingAfter(0).toString();
    }

    @Override
    public String toString() {
      String text = "  " + client + " at its " + (writes ? "write " : "op ") + n + ": " + fault;
      return held == 0 ? text : text + ", held for " + held;
    }
  }

  /** Something that happens to all, counted in turns of the schedule. */
  sealed interface Disturbance {

    /** The turn at which it begins. */
    int from();

    /** A client does not go on, unless nobody else can. */
    record Suspended(String client, int from, int turns) implements Disturbance {}

    /** The pool takes nothing but removals of whole objects. */
    record Full(int from, int turns) implements Disturbance {}

    /** The pool, as it is then, is at its quota. */
    record AtQuota(int from, int turns) implements Disturbance {}

    /** What is under way takes effect. */
    record Landing(int from) implements Disturbance {}

    /** Another program removes the mark of a transaction, the first that is there by then. */
    record Damage(int from) implements Disturbance {}

    /** A client's clock jumps, and stays ahead, or behind, by so much. */
    record Clock(String client, int from, long millis) implements Disturbance {}
  }

  private static final int MOST_OPS = 40;
  private static final int LONGEST_HELD = 180;

  /**
   * What goes wrong at once. Errors are of every kind that tells nothing of the object; a write
   * that was applied is answered with those of them that {@code Errno} has for that. That there is
   * no room depends on what the operation does, so that {@link Disturbance.Full} and {@link
   * Disturbance.AtQuota} tell it.
   */
  private static final List<Fault> AT_ONCE =
      List.of(
          Fault.CRASH_BEFORE,
          Fault.CRASH_AFTER,
          Fault.LOSE_ANSWER,
          Fault.LOSE_REQUEST,
          Fault.TWICE,
          Fault.BLOCKLIST,
          Fault.BLOCKLIST_AFTER,
          Fault.INTERRUPT,
          Fault.INTERRUPT_AFTER,
          Fault.failWith(Kind.OTHER),
          Fault.failWith(Kind.PERMISSION_DENIED),
          Fault.failWith(Kind.BLOCKLISTED),
          Fault.failWith(Kind.TOO_LARGE),
          Fault.failWith(Kind.NAME_TOO_LONG),
          Fault.failWith(Kind.UNSUPPORTED),
          Fault.failAfter(Kind.OTHER),
          Fault.failAfter(Kind.PERMISSION_DENIED),
          Fault.failAfter(Kind.BLOCKLISTED));

  /** What goes wrong with a write that takes effect later. */
  private static final List<Fault> LATE =
      List.of(Fault.CRASH_LATE, Fault.DELAY, Fault.OVERTAKEN, Fault.INTERRUPT_LATE);

  /** What a client's next write is refused with once an earlier one is under way, unanswered. */
  private static final List<Fault> REFUSALS =
      List.of(
          Fault.BLOCKLIST,
          Fault.failWith(Kind.BLOCKLISTED),
          Fault.failWith(Kind.OTHER),
          Fault.failWith(Kind.PERMISSION_DENIED));

  static Scenario draw(World worlds, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    World world = worlds.drawn(random);
    Session.Mounting mounting = world.mounting(random);
    List<Step> setUp = world.setUp(random);
    List<Program> programs = new ArrayList<>();
    int clients = 2 + random.nextInt(random.nextBoolean() ? 4 : 2);
    for (int i = 0; i < clients; i++) {
      List<Step> steps = new ArrayList<>();
      for (int n = 1 + random.nextInt(5); n > 0; n--) {
        steps.add(
            i > 0 && random.nextInt(4) == 0
                ? contrary(world, programs, random)
                : world.step(random));
      }
      programs.add(new Program(Character.toString((char) ('a' + i)), List.copyOf(steps)));
    }
    List<PlannedFault> faults = new ArrayList<>();
    for (int n = random.nextInt(5); n > 0; n--) {
      if (random.nextInt(5) == 0) {
        faults.addAll(burst(random, programs.get(random.nextInt(clients)).client()));
        continue;
      }
      PlannedFault fault = fault(random, programs.get(random.nextInt(clients)).client());
      faults.add(fault);
      if (random.nextInt(3) == 0) {
        // What goes wrong at the look or the repetition that the first fault brings about.
        faults.add(
            new PlannedFault(
                fault.client(),
                fault.writes(),
                fault.n() + 1 + random.nextInt(2),
                AT_ONCE.get(random.nextInt(AT_ONCE.size())),
                0));
      }
    }
    List<Disturbance> disturbances = new ArrayList<>();
    for (int n = Math.max(0, random.nextInt(5) - 1); n > 0; n--) {
      disturbances.add(disturbance(random, programs.get(random.nextInt(clients)).client()));
    }
    long schedule = random.nextLong() >>> 16;
    // Drawn last, so that a seed draws all else as it did when nothing was waited for in full.
    programs.replaceAll(program -> waitingInFull(program, random));
    faults.replaceAll(fault -> waitingInFull(fault, random));
    return new Scenario(mounting, setUp, programs, faults, disturbances, schedule);
  }

  private static Program waitingInFull(Program program, SplittableRandom random) {
    List<Step> steps = new ArrayList<>(program.steps());
    steps.replaceAll(
        step ->
            step instanceof Unanswered lost && random.nextBoolean()
                ? new Unanswered(
                    lost.step(), lost.write(), lost.fault().waitedForInFull(), lost.held())
                : step);
    return new Program(program.client(), List.copyOf(steps));
  }

  private static PlannedFault waitingInFull(PlannedFault planned, SplittableRandom random) {
    return planned.fault().isUnanswered() && random.nextBoolean()
        ? new PlannedFault(
            planned.client(),
            planned.writes(),
            planned.n(),
            planned.fault().waitedForInFull(),
            planned.held())
        : planned;
  }

  /**
   * What undoes a step of another client, or makes anew what that takes away. Sometimes the other
   * one is not answered, and finds then what came of both.
   */
  private static Step contrary(World world, List<Program> programs, SplittableRandom random) {
    int client = random.nextInt(programs.size());
    Program other = programs.get(client);
    int place = random.nextInt(other.steps().size());
    Step step = other.steps().get(place);
    if (random.nextBoolean() && !(step instanceof Unanswered)) {
      List<Step> steps = new ArrayList<>(other.steps());
      int held = 20 + random.nextInt(LONGEST_HELD);
      int write = 1 + random.nextInt(step.writes());
      Fault fault = random.nextInt(3) == 0 ? Fault.TWICE : Fault.LOSE_ANSWER;
      steps.set(place, new Unanswered(step, write, fault, held));
      programs.set(client, new Program(other.client(), List.copyOf(steps)));
    }
    return world.contrary(step instanceof Unanswered lost ? lost.step() : step, random);
  }

  private static PlannedFault fault(SplittableRandom random, String client) {
    Fault fault = fault(random);
    boolean writes = fault.forWritesOnly() || random.nextInt(3) > 0;
    int held = random.nextInt(2) == 0 ? 0 : 20 + random.nextInt(LONGEST_HELD);
    return new PlannedFault(client, writes, 1 + random.nextInt(writes ? 12 : 24), fault, held);
  }

  /**
   * A write that comes late, of which nobody knows, and the refusal of the next: whoever looks
   * between them, and does not see it, takes the refusal for the last word.
   */
  private static List<PlannedFault> burst(SplittableRandom random, String client) {
    Fault late = random.nextInt(4) > 0 ? Fault.OVERTAKEN : Fault.DELAY;
    int n = 1 + random.nextInt(16);
    return List.of(
        new PlannedFault(client, true, n, late.landingAfter(later(random)), 0),
        new PlannedFault(client, true, n + 1, REFUSALS.get(random.nextInt(REFUSALS.size())), 0));
  }

  private static Fault fault(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      return Fault.LOSE_ANSWER; // the one after which a client tries again by what it sees then
    }
    if (random.nextInt(5) > 1) {
      return AT_ONCE.get(random.nextInt(AT_ONCE.size()));
    }
    return LATE.get(random.nextInt(LATE.size())).landingAfter(later(random));
  }

  /** After how many operations a write takes effect; 0 for until it is told. */
  private static int later(SplittableRandom random) {
    return random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 4 : MOST_OPS);
  }

  private static Disturbance disturbance(SplittableRandom random, String client) {
    int from = 1 + random.nextInt(2 * MOST_OPS);
    int turns = 1 + random.nextInt(60);
    return switch (random.nextInt(9)) {
      case 8 -> new Disturbance.Damage(from);
      case 0 -> new Disturbance.Full(from, turns);
      case 1 -> new Disturbance.AtQuota(from, turns);
      case 2 -> new Disturbance.Landing(from);
      case 3 ->
          new Disturbance.Clock(
              client, from, random.nextLong(-SimulatedMount.WORKING, Session.MOST_AHEAD));
      default -> new Disturbance.Suspended(client, from, 20 + random.nextInt(200));
    };
  }

  /** Whether what is told to clients may be lost. */
  boolean losesAnswers() {
    return !faults.isEmpty()
        || programs.stream()
            .flatMap(program -> program.steps().stream())
            .anyMatch(Unanswered.class::isInstance);
  }

  /** Whether another program removes the mark of a transaction. */
  boolean mayBeDamaged() {
    return disturbances.stream().anyMatch(Disturbance.Damage.class::isInstance);
  }

  /** Whether the pool takes at some time nothing but removals of whole objects. */
  boolean isFullAtTimes() {
    return disturbances.stream().anyMatch(Disturbance.Full.class::isInstance);
  }

  /** Whether the pool has no room at some time. */
  boolean mayHaveNoRoom() {
    return disturbances.stream()
        .anyMatch(what -> what instanceof Disturbance.Full || what instanceof Disturbance.AtQuota);
  }

  /** Whether the pool is at its quota at some time, and not full. */
  boolean isAtQuotaAtTimes() {
    return !isFullAtTimes()
        && disturbances.stream().anyMatch(Disturbance.AtQuota.class::isInstance);
  }

  /** All kinds of what can go wrong, as they are counted. */
  static Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    Stream.concat(AT_ONCE.stream(), LATE.stream())
        .forEach(
            fault -> {
              kinds.add(fault.toString());
              if (fault.isUnanswered()) {
                kinds.add(fault.waitedForInFull().toString());
              }
            });
    for (Class<?> disturbance : Disturbance.class.getPermittedSubclasses()) {
      kinds.add(disturbance.getSimpleName());
    }
    return kinds;
  }

  Scenario with(List<Program> fewer) {
    return new Scenario(mounting, setUp, fewer, faults, disturbances, schedule);
  }

  Scenario withSetUp(List<Step> fewer) {
    return new Scenario(mounting, fewer, programs, faults, disturbances, schedule);
  }

  Scenario withFaults(List<PlannedFault> fewer) {
    return new Scenario(mounting, setUp, programs, fewer, disturbances, schedule);
  }

  Scenario withDisturbances(List<Disturbance> fewer) {
    return new Scenario(mounting, setUp, programs, faults, fewer, schedule);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("mounted ").append(mounting);
    text.append(", schedule ").append(schedule).append('\n');
    text.append(new Program("setup", setUp)).append('\n');
    programs.forEach(program -> text.append(program).append('\n'));
    faults.forEach(fault -> text.append(fault).append('\n'));
    disturbances.forEach(what -> text.append("  ").append(what).append('\n'));
    return text.toString();
  }
}
