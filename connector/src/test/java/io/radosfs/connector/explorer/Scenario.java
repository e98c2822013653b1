package io.radosfs.connector.explorer;

import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * What a run consists of: drawn by a seed, and made smaller by taking things away.
 *
 * @param setUp what is done before, by one client
 * @param programs of clients
 * @param faults of clients
 * @param disturbances of all
 * @param schedule the seed of the order in which clients go on
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
   */
  record PlannedFault(String client, boolean writes, int n, Fault fault) {

    boolean isAt(OpInfo op) {
      return writes ? op.write() && op.ordinal() == n : op.number() == n;
    }

    boolean interrupts() {
      return fault.action().name().startsWith("INTERRUPT");
    }

    @Override
    public String toString() {
      return "  " + client + " at its " + (writes ? "write " : "op ") + n + ": " + fault;
    }
  }

  /** Something that happens to all, counted in turns of the schedule. */
  sealed interface Disturbance {

    /** A client does not go on, unless nobody else can. */
    record Suspended(String client, int from, int turns) implements Disturbance {}

    /** The pool takes nothing but removals of whole objects. */
    record Full(int from, int turns) implements Disturbance {}

    /** What is under way takes effect. */
    record Landing(int at) implements Disturbance {}
  }

  private static final int MOST_OPS = 40;

  static Scenario draw(World worlds, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    World world = worlds.drawn(random);
    Session.Mounting mounting = world.mounting(random);
    List<Step> setUp = world.setUp(random);
    List<Program> programs = new ArrayList<>();
    int clients = 2 + (random.nextInt(3) == 0 ? random.nextInt(4) : random.nextInt(2));
    for (int i = 0; i < clients; i++) {
      List<Step> steps = new ArrayList<>();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        steps.add(world.step(random));
      }
      programs.add(new Program(Character.toString((char) ('a' + i)), List.copyOf(steps)));
    }
    List<PlannedFault> faults = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      faults.add(fault(random, programs.get(random.nextInt(clients)).client()));
    }
    List<Disturbance> disturbances = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      disturbances.add(
          new Disturbance.Suspended(
              programs.get(random.nextInt(clients)).client(),
              random.nextInt(MOST_OPS),
              20 + random.nextInt(200)));
    }
    if (random.nextInt(8) == 0) {
      disturbances.add(new Disturbance.Full(random.nextInt(MOST_OPS), 5 + random.nextInt(60)));
    }
    if (random.nextInt(6) == 0) {
      disturbances.add(new Disturbance.Landing(random.nextInt(2 * MOST_OPS)));
    }
    return new Scenario(mounting, setUp, programs, faults, disturbances, random.nextLong() >>> 16);
  }

  private static PlannedFault fault(SplittableRandom random, String client) {
    Fault fault = fault(random);
    boolean writes = random.nextInt(3) > 0;
    return new PlannedFault(client, writes, 1 + random.nextInt(writes ? 12 : 24), fault);
  }

  private static Fault fault(SplittableRandom random) {
    int later = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(MOST_OPS);
    return switch (random.nextInt(18)) {
      case 0 -> Fault.CRASH_BEFORE;
      case 1 -> Fault.CRASH_AFTER;
      case 2, 3 -> Fault.CRASH_LATE.landingAfter(later);
      case 4 -> Fault.LOSE_ANSWER;
      case 5 -> Fault.LOSE_REQUEST;
      case 6, 7 -> Fault.DELAY.landingAfter(later);
      case 8, 9 -> Fault.OVERTAKEN.landingAfter(later);
      case 10 -> Fault.failWith(Kind.OTHER);
      case 11 -> Fault.failWith(Kind.PERMISSION_DENIED);
      case 12, 13 -> Fault.failAfter(Kind.BLOCKLISTED);
      case 14 -> random.nextBoolean() ? Fault.BLOCKLIST : Fault.BLOCKLIST_AFTER;
      case 15 -> Fault.INTERRUPT;
      case 16 -> Fault.INTERRUPT_AFTER;
      default -> Fault.INTERRUPT_LATE.landingAfter(later);
    };
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

  Scenario withSchedule(long other) {
    return new Scenario(mounting, setUp, programs, faults, disturbances, other);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("mounted ").append(mounting).append(", schedule ").append(schedule).append('\n');
    text.append(new Program("setup", setUp)).append('\n');
    programs.forEach(program -> text.append(program).append('\n'));
    faults.forEach(fault -> text.append(fault).append('\n'));
    disturbances.forEach(what -> text.append("  ").append(what).append('\n'));
    return text.toString();
  }
}
