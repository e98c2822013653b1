// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.data.StreamSettings;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.ScheduledHelpers;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Clients of one name space of few names. */
public class NamespaceWorld implements World {

  static final List<FsPath> DIRECTORIES =
      List.of(new FsPath("a"), new FsPath("b"), new FsPath("a/c"), new FsPath("b/c"));

  static final List<String> NAMES = List.of("g", "f", "c");
  private static final Sharding WHOLE = new Sharding(65_536, 64);

  private final List<FsPath> directories;
  private final List<String> names;

  public NamespaceWorld() {
    this(DIRECTORIES);
  }

  /**
   * @param directories the names that there are for them
   */
  protected NamespaceWorld(List<FsPath> directories) {
    this(directories, NAMES);
  }

  /**
   * @param names of files
   */
  NamespaceWorld(List<FsPath> directories, List<String> names) {
    this.directories = directories;
    this.names = names;
  }

  /**
   * How all clients mount.
   *
   * @param page entries that an operation returns at most
   * @param helped whether work on several directories is done by several threads
   * @param behind which of the reads of any copy find one that is behind; 0 if the primary is read
   * @param window stripes of a file that are under way at a time; with one, a file of three is long
   */
  private record Mounts(
      int threshold, boolean keeps, int page, boolean helped, int behind, int window)
      implements Session.Mounting {
    @Override
    public SimulatedMount mount(SimulatedClient client) throws IOException {
      SimulatedMount mount =
          SimulatedMount.of(
                  client,
                  threshold == 0 ? WHOLE : new Sharding(threshold, 2),
                  new Retention(
                      keeps ? Duration.ofMillis(500) : Duration.ZERO,
                      () -> SimulatedMount.WORKING + client.clockAhead()),
                  helped ? ScheduledHelpers.loop(client) : DirectoryLoop.sequential())
              .writing(window);
      return behind == 0 ? mount : mount.readingFrom(ReadFrom.BALANCED);
    }

    @Override
    public boolean listsInParts() {
      return threshold > 0 || page < SimulatedCluster.MAX_OMAP_ENTRIES_PER_REQUEST;
    }

    @Override
    public void prepare(SimulatedCluster cluster) {
      SimulatedCluster unused =
          cluster
              .setMaxOmapEntries(SimulatedMount.POOL, page)
              .setCopiesBehind(SimulatedMount.POOL, behind)
              .setCopiesBehind(SimulatedMount.OTHER_POOL, behind);
    }
  }

  @Override
  public Session.Mounting mounting(SplittableRandom random) {
    return new Mounts(
        random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(2),
        random.nextInt(4) == 0,
        random.nextInt(3) > 0
            ? SimulatedCluster.MAX_OMAP_ENTRIES_PER_REQUEST
            : 1 + random.nextInt(3),
        random.nextInt(3) > 0,
        random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(2),
        random.nextInt(3) == 0 ? 1 : StreamSettings.defaults().window());
  }

  @Override
  public List<Step> setUp(SplittableRandom random) {
    List<Step> steps = new ArrayList<>();
    for (FsPath directory : directories) {
      if (random.nextInt(4) > 0) {
        steps.add(new NamespaceSteps.Mkdirs(directory));
        if (random.nextInt(4) == 0) {
          // What is made below it later is to have it, too.
          steps.add(new NamespaceSteps.Layout(directory, layout(random)));
        }
      }
    }
    for (int n = random.nextInt(random.nextBoolean() ? 4 : 8); n > 0; n--) {
      steps.add(new NamespaceSteps.Write(file(random), true, true, random.nextBoolean()));
    }
    if (random.nextInt(4) == 0) {
      steps.add(new AdoptionSteps.Put(file(random), random.nextBoolean()));
    }
    return steps;
  }

  private FsPath directory(SplittableRandom random) {
    return directories.get(random.nextInt(directories.size()));
  }

  private FsPath file(SplittableRandom random) {
    return file(random.nextInt(8) == 0 ? FsPath.ROOT : directory(random), random);
  }

  private FsPath file(FsPath directory, SplittableRandom random) {
    String name = names.get(random.nextInt(names.size()));
    return new FsPath(directory.isRoot() ? name : directory.key() + "/" + name);
  }

  private FsPath any(SplittableRandom random) {
    return random.nextBoolean() ? directory(random) : file(random);
  }

  @Override
  public Step step(SplittableRandom random) {
    return switch (random.nextInt(34)) {
      case 0, 1, 2, 3 ->
          new NamespaceSteps.Write(
              file(random), random.nextBoolean(), random.nextInt(4) > 0, random.nextBoolean());
      case 4 ->
          new NamespaceSteps.Open(
              file(random),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              Tree.Node.ANY);
      case 5 -> random.nextInt(3) == 0 ? new NamespaceSteps.Abort() : new NamespaceSteps.Finish();
      case 6, 7 -> new NamespaceSteps.Mkdirs(directory(random));
      case 8, 9, 10 -> renamed(random, file(random), file(random));
      case 11, 12, 13 -> renamed(random, directory(random), directory(random));
      case 14, 15 -> new NamespaceSteps.Delete(any(random), random.nextBoolean());
      case 16 -> new NamespaceSteps.Delete(directory(random), true);
      case 17 -> new NamespaceSteps.DeleteAll(several(random));
      case 18 ->
          new NamespaceSteps.SetPermission(
              any(random),
              NamespaceSteps.SetPermission.LEAST
                  + random.nextInt(NamespaceSteps.SetPermission.DRAWN));
      case 19 -> new NamespaceSteps.Read(any(random));
      case 20, 21 ->
          new NamespaceSteps.BeginToRead(
              file(random), random.nextInt(3) == 0 ? NamespaceSteps.HALF : 0);
      case 22 -> new NamespaceSteps.Renew(file(random), random.nextBoolean());
      case 23 -> new NamespaceSteps.ReadRenewed(file(random), random.nextBoolean());
      case 24 -> new NamespaceSteps.ListAll(any(random));
      case 25 -> new NamespaceSteps.Iterate(any(random));
      case 26 -> new NamespaceSteps.Layout(directory(random), layout(random));
      case 27 -> new NamespaceSteps.Closing(beginning(random));
      case 28 -> new NamespaceSteps.LayoutOf(directory(random));
      case 29 -> new NamespaceSteps.Restore(any(random), directory(random));
      case 30 -> adopting(random);
      default -> new NamespaceSteps.Collect(random.nextBoolean());
    };
  }

  @Override
  public Step contrary(Step step, SplittableRandom random) {
    if (step instanceof NamespaceSteps.Rename rename) {
      return random.nextInt(3) > 0
          ? new NamespaceSteps.Rename(rename.to(), rename.from(), random.nextBoolean())
          : takenAway(random.nextInt(3) > 0 ? rename.to() : rename.from(), random);
    }
    if (step instanceof NamespaceSteps.Layout layout) {
      return otherLayout(layout, random);
    }
    if (step instanceof NamespaceSteps.SetPermission set) {
      return new NamespaceSteps.SetPermission(set.path(), TreeBehaviours.PERMISSION);
    }
    if (step instanceof NamespaceSteps.DeleteAll deletion) {
      List<FsPath> paths = List.copyOf(deletion.paths());
      FsPath path = paths.get(random.nextInt(paths.size()));
      return random.nextBoolean()
          ? madeAnew(path, random)
          : new NamespaceSteps.Write(path, false, true, false); // once it is deleted
    }
    if (step instanceof NamespaceSteps.Delete deletion) {
      return random.nextInt(3) > 0
          ? madeAnew(deletion.path(), random)
          : takenAway(deletion.path(), random);
    }
    if (step instanceof NamespaceSteps.Write write) {
      return new NamespaceSteps.Delete(write.path(), random.nextBoolean());
    }
    if (step instanceof NamespaceSteps.Layout set) {
      return new NamespaceSteps.Layout(
          set.path(), random.nextBoolean() ? DataLayout.DEFAULT : layout(random));
    }
    if (step instanceof NamespaceSteps.Mkdirs mkdirs) {
      return new NamespaceSteps.Delete(mkdirs.path(), random.nextBoolean());
    }
    if (step instanceof NamespaceSteps.Dying dying) {
      return contrary(dying.step(), random);
    }
    if (step instanceof NamespaceSteps.Closing closing) {
      return contrary(closing.step(), random);
    }
    if (step instanceof InTurn several) {
      return contrary(several.steps().get(random.nextInt(several.steps().size())), random);
    }
    return step(random);
  }

  /**
   * Another layout of a directory, by a client that has seen the first, or not; or no such
   * directory any more, or another one.
   */
  private static Step otherLayout(NamespaceSteps.Layout layout, SplittableRandom random) {
    FsPath path = layout.path();
    NamespaceSteps remove = new NamespaceSteps.Delete(path, true);
    NamespaceSteps make = new NamespaceSteps.Mkdirs(path);
    NamespaceSteps other =
        new NamespaceSteps.Layout(path, random.nextBoolean() ? DataLayout.DEFAULT : layout(random));
    return switch (random.nextInt(7)) {
      case 0 -> remove;
      case 1 -> InTurn.of(remove, make);
      case 2 -> InTurn.of(remove, make, new NamespaceSteps.LayoutOf(path));
      case 3, 4 -> InTurn.of(new NamespaceSteps.LayoutOf(path), other);
      default -> other;
    };
  }

  /**
   * What is at a path goes elsewhere and ends there, by a client that dies of it: whoever looks for
   * it then, at either place, finds another there, or half of it.
   */
  private Step takenAway(FsPath path, SplittableRandom random) {
    boolean directory = directories.contains(path);
    FsPath elsewhere = directory ? directory(random) : file(random);
    NamespaceSteps end =
        directory
            ? new NamespaceSteps.Delete(elsewhere, true)
            : new NamespaceSteps.Write(elsewhere, true, true, random.nextBoolean());
    return InTurn.of(
        renamed(random, path, elsewhere),
        new NamespaceSteps.Dying(end, 1 + random.nextInt(directory ? 6 : 4)));
  }

  private NamespaceSteps madeAnew(FsPath path, SplittableRandom random) {
    if (!directories.contains(path)) {
      return new NamespaceSteps.Write(path, random.nextBoolean(), true, random.nextBoolean());
    }
    return random.nextBoolean()
        ? new NamespaceSteps.Mkdirs(path)
        : new NamespaceSteps.Write(
            file(path, random), random.nextBoolean(), true, random.nextBoolean());
  }

  /** Something with an object that another program has put where a file would be. */
  final Step adopting(SplittableRandom random) {
    FsPath path = file(random);
    AdoptionSteps.Put put = new AdoptionSteps.Put(path, random.nextBoolean());
    AdoptionSteps.Adopt adopt = new AdoptionSteps.Adopt(path, false);
    return switch (random.nextInt(8)) {
      case 0 -> put;
      case 1 -> adopt;
      case 2 -> InTurn.of(put, new NamespaceSteps.Closing(adopt));
      case 3 -> InTurn.of(put, new NamespaceSteps.Dying(adopt, 1 + random.nextInt(5)));
      case 4 -> InTurn.of(put, adopt, renamed(random, path, file(random)));
      default -> InTurn.of(put, adopt);
    };
  }

  /** Something of which lines are written down, or crossed out, and by which the client may die. */
  private NamespaceSteps beginning(SplittableRandom random) {
    NamespaceSteps step =
        switch (random.nextInt(5)) {
          case 0 -> new NamespaceSteps.Mkdirs(directory(random));
          case 1 -> new NamespaceSteps.Finish();
          case 2 -> new NamespaceSteps.Delete(directory(random), true);
          default -> new NamespaceSteps.Write(file(random), true, true, random.nextBoolean());
        };
    return random.nextInt(3) > 0
        ? step
        : new NamespaceSteps.Dying(step, 1 + random.nextInt(random.nextBoolean() ? 4 : 10));
  }

  /** As the default is, more often than not. */
  private static DataLayout layout(SplittableRandom random) {
    return new DataLayout(
        random.nextInt(3) > 0 ? Optional.empty() : Optional.of(SimulatedMount.OTHER_POOL),
        random.nextInt(3) > 0 ? Optional.empty() : Optional.of(5 + random.nextInt(3)));
  }

  private static Step renamed(SplittableRandom random, FsPath from, FsPath to) {
    return from.equals(to)
        ? new NamespaceSteps.Read(from)
        : new NamespaceSteps.Rename(from, to, random.nextBoolean());
  }

  private Set<FsPath> several(SplittableRandom random) {
    Set<FsPath> paths = new TreeSet<>();
    FsPath directory = directory(random);
    boolean together = random.nextBoolean();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      paths.add(together ? file(directory, random) : any(random));
    }
    return paths;
  }

  @Override
  public void recover(SimulatedClient client) throws IOException {
    collect(client, 1);
  }

  @Override
  public void recoverLongAfter(SimulatedClient client, int round) throws IOException {
    collect(client, 1 + round);
  }

  private static void collect(SimulatedClient client, int times) throws IOException {
    long now = (times > 1 ? Session.MOST_AHEAD : 0) + times * SimulatedMount.COLLECTING;
    SimulatedMount.of(client, new Retention(Duration.ZERO, () -> now))
        .collect(now, now - SimulatedMount.WORKING);
  }

  @Override
  public void check(SimulatedCluster cluster, boolean recovered) throws IOException {
    // The source of a rename that is decided and not settled may have an entry whose data is gone.
    PoolChecker.check(
        cluster,
        finding ->
            !recovered && finding.kind() == Finding.Kind.MISSING
                || finding.kind() == Finding.Kind.LEAK
                    && AdoptableObjects.mayBeLedToByNothing(cluster, finding.subject()),
        SimulatedMount.POOL,
        SimulatedMount.OTHER_POOL);
  }
}
