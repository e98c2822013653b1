// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Helpers;
import io.radosfs.connector.mount.ParallelDirectories;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Replay;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The explorer finds what is planted, and makes it small. */
@Tag("exploration")
class ExplorerTest {

  /** A client that moves a file by writing it again and deleting it: two are seen in between. */
  private record MoveInTwoSteps() implements Step {

    private static final FsPath FROM = new FsPath("b/from");
    private static final FsPath TO = new FsPath("b/to");

    @Override
    public void run(Session session) throws IOException {
      new NamespaceSteps.Write(FROM, true, true, false).run(session);
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.rename(FROM, TO, false),
              () -> {
                SimulatedMount mount = session.mount();
                mount.namespace().rename(FROM, TO, false);
                boolean gone = mount.namespace().delete(TO, false);
                return gone;
              });
    }
  }

  private static final class PlantedWorld extends NamespaceWorld {
    @Override
    public Step step(SplittableRandom random) {
      return random.nextInt(10) == 0 ? new MoveInTwoSteps() : super.step(random);
    }
  }

  /** Work on several directories of which nobody waits for the end. */
  private record WorkInTheBack() implements Step {
    @Override
    public void run(Session session) throws IOException {
      Helpers careless =
          new Helpers() {
            @Override
            public boolean run(Runnable work) {
              return session.client().fork(work);
            }

            @Override
            public void await(Future<?> work) {}
          };
      Optional<Boolean> unused =
          session.unseen(
              toString(),
              () -> {
                new ParallelDirectories(careless)
                    .run(
                        List.of(new FsPath("a"), new FsPath("a/c"), new FsPath("b")),
                        path -> session.mount().namespace().lookup(path));
                return true;
              });
    }
  }

  private static final class CarelessWorld extends NamespaceWorld {
    @Override
    public Step step(SplittableRandom random) {
      return random.nextInt(4) == 0 ? new WorkInTheBack() : super.step(random);
    }
  }

  @Test
  void findsWorkThatGoesOnAfterItsCall() {
    assertThatThrownBy(() -> new Explorer("planted", new CarelessWorld()).explore(1, 100))
        .hasMessageContaining("something works on after its call has returned");
  }

  /** Removes an object of another program, of which no file was made. */
  private record LosesAnObject() implements Step {

    private static final FsPath PATH = new FsPath("b/lost");

    @Override
    public void run(Session session) throws IOException {
      new AdoptionSteps.Put(PATH, false).run(session);
      WriteOp removal =
          WriteOp.builder().assertExists().absentXattr(FileData.UID_XATTR).remove().build();
      Optional<Boolean> unused =
          session.unseen(
              toString(),
              () -> {
                session.mount().store().write(PATH.key(), removal);
                return true;
              });
    }
  }

  private static final class LosingWorld extends NamespaceWorld {
    @Override
    public Step step(SplittableRandom random) {
      return random.nextInt(10) == 0 ? new LosesAnObject() : super.step(random);
    }
  }

  @Test
  void findsThatAnObjectOfAnotherProgramIsLost() {
    assertThatThrownBy(() -> new Explorer("planted", new LosingWorld()).explore(1, 100))
        .hasMessageContaining("no order explains")
        .hasMessageContaining("which is gone, was a file")
        .hasMessageContaining("LosesAnObject");
  }

  /** A client that is told of a failure for which there is no reason. */
  private record FailsForNoReason() implements Step {
    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              TreeBehaviours.mkdirs(new FsPath("a")),
              () -> {
                throw new IOException("x");
              });
    }
  }

  private static final class FailingWorld extends NamespaceWorld {
    @Override
    public Step step(SplittableRandom random) {
      return random.nextInt(10) == 0 ? new FailsForNoReason() : super.step(random);
    }
  }

  @Test
  void findsAFailureForWhichThereIsNoReason() {
    assertThatThrownBy(() -> new Explorer("planted", new FailingWorld()).explore(1, 100))
        .hasMessageContaining("failed for no reason: ")
        .hasMessageContaining("FailsForNoReason[] -> FAILED java.io.IOException: x");
  }

  /** What might have come about in more ways than can be tried. */
  private record Intricate() implements Step {

    private static final int WAYS = 700;

    @Override
    public void run(Session session) throws IOException {
      Optional<Boolean> unused =
          session.call(
              toString(),
              (tree, state, answer) ->
                  state instanceof List<?> tried && tried.size() > 1
                      ? List.of()
                      : IntStream.range(0, WAYS)
                          .mapToObj(
                              way ->
                                  new Behaviour.Next(
                                      tree,
                                      state instanceof List<?> tried
                                          ? List.of(tried.get(0), way)
                                          : List.of(way)))
                          .toList(),
              () -> true);
    }
  }

  private static final class IntricateWorld extends NamespaceWorld {
    @Override
    public List<Step> setUp(SplittableRandom random) {
      return List.of(new Intricate());
    }
  }

  @Test
  void tellsWhereTooMuchIsNotDecided() {
    assertThatThrownBy(() -> new Explorer("planted", new IntricateWorld()).explore(1, 1))
        .hasMessage("planted: 1 of 1 runs are undecided");
  }

  private static final Pattern COMMAND =
      Pattern.compile(
          "-Dsimulation.seed=(\\d+) -Dsimulation.schedule='([^']+)' -Dsimulation.kept='([^']+)'");

  @Test
  void findsAnOperationThatIsNotWhatItSays() {
    assertThatThrownBy(() -> new Explorer("planted", new PlantedWorld()).explore(1, 100))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("run it again: mvn")
        .hasMessageContaining("-Dsimulation.seed=")
        .satisfies(
            failure -> {
              String small = failure.getMessage().substring(failure.getMessage().indexOf("small"));
              String programs = small.substring(small.indexOf("setup:"), small.indexOf("order:"));
              assertThat(programs.lines().filter(line -> line.startsWith("  "))).hasSize(1);
              assertThat(programs).contains("MoveInTwoSteps").doesNotContain(";");
            });
  }

  @Test
  void theCommandRunsTheVeryOrderAgain() {
    Explorer explorer = new Explorer("planted", new PlantedWorld());
    Throwable failure = catchThrowable(() -> explorer.explore(1, 100));
    Matcher command = COMMAND.matcher(failure.getMessage());
    assertThat(command.find()).isTrue();
    Replay replay = replay(command);
    assertThatThrownBy(() -> explorer.explore(1, 100, replay))
        .hasMessageContaining("no order explains")
        .hasMessageContaining(command.group());
    assertThatThrownBy(
            () -> explorer.explore(1, 100, new Replay(replay.seed(), 1, Optional.of("nobody"))))
        .hasMessageContaining("the schedule does not fit");
  }

  @Test
  void whatIsMadeSmallIsRunAgainAsSmallAsItIs() {
    Explorer explorer = new Explorer("planted", new PlantedWorld());
    String failure = catchThrowable(() -> explorer.explore(1, 100)).getMessage();
    Matcher command = COMMAND.matcher(failure.substring(failure.indexOf("run that: ")));
    assertThat(command.find()).isTrue();
    String again = catchThrowable(() -> explorer.explore(1, 100, replay(command))).getMessage();
    assertThat(again.substring(0, again.indexOf("as small"))).contains(command.group());
    assertThat(programs(again)).isEqualTo(programs(failure));
  }

  private static String programs(String failure) {
    return failure.substring(failure.indexOf("setup:"), failure.indexOf("the order:"));
  }

  private static Replay replay(Matcher command) {
    return new Replay(
        Optional.of(Long.valueOf(command.group(1))),
        1,
        Optional.of(command.group(2)),
        Optional.of(command.group(3)));
  }

  @Test
  void partsOfAScenarioAreToldInWords() {
    Scenario whole = Scenario.draw(new FocusedWorld(), 3);
    Scenario.Program first = whole.programs().get(0);
    Scenario smaller =
        whole
            .with(
                List.of(
                    new Scenario.Program(
                        first.client(), first.steps().subList(0, first.steps().size() - 1))))
            .withFaults(List.of());
    Kept kept = Kept.parse(Kept.of(smaller, whole).toString());
    assertThat(kept.of(whole)).hasToString(smaller.toString());
    assertThat(Kept.of(whole, whole).of(whole)).hasToString(whole.toString());
  }

  @Test
  void aSeedRunsTheSameAgain() {
    World world = new FocusedWorld();
    for (long seed = 1; seed <= 60; seed++) {
      Scenario scenario = Scenario.draw(world, seed);
      assertThat(Run.of(world, scenario).log())
          .as("what seed %d does", seed)
          .isEqualTo(Run.of(world, scenario).log());
    }
  }

  @Test
  void aSeedDrawsTheSameAgain() {
    World world = new NamespaceWorld();
    for (long seed = 1; seed <= 20; seed++) {
      Scenario scenario = Scenario.draw(world, seed);
      assertThat(Scenario.draw(world, seed)).hasToString(scenario.toString());
    }
  }
}
