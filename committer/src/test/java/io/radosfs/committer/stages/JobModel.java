// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.Behaviour.Next;
import io.radosfs.connector.explorer.MakesDirectories;
import io.radosfs.connector.explorer.Tree;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * How a job stands at an instant, as a mark of the tree.
 *
 * @param registered whether it was ever set up
 * @param fenced whether its commit has begun, so that its tasks add nothing more
 * @param attempts that are committed, in any order
 * @param aborted attempts that never will be
 * @param plan the attempts that its commit makes visible, once that is written down
 */
record JobModel(
    boolean registered,
    boolean fenced,
    Set<Attempt> attempts,
    Set<TaskAttempt> aborted,
    Optional<Set<TaskAttempt>> plan,
    State decision)
    implements MakesDirectories {

  /** How it was decided. */
  enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  /**
   * A committed attempt.
   *
   * @param sequence how many others of its task were committed when it was about to be
   * @param files their identities by their paths
   */
  record Attempt(TaskAttempt id, int sequence, Map<FsPath, String> files) {}

  private static final JobModel NONE =
      new JobModel(false, false, Set.of(), Set.of(), Optional.empty(), State.PENDING);

  static JobModel of(Tree tree, String job) {
    return (JobModel) tree.marks().getOrDefault(job, NONE);
  }

  boolean isPending() {
    return registered && decision == State.PENDING;
  }

  /** Directories are made that files of the plan are to be in. */
  @Override
  public boolean mayBeMaking(FsPath directory) {
    return isPending()
        && plan.flatMap(this::files)
            .filter(files -> files.keySet().stream().anyMatch(file -> file.isAtOrBelow(directory)))
            .isPresent();
  }

  /** Whether its tasks may commit. */
  boolean runs() {
    return isPending() && !fenced;
  }

  /** The end of what does nothing now; before the set-up it may yet have an effect later. */
  Next withoutEffect(Tree tree) {
    return registered ? Next.idle(tree) : Next.done(tree);
  }

  JobModel asRegistered() {
    return new JobModel(true, fenced, attempts, aborted, plan, decision);
  }

  JobModel asFenced() {
    return new JobModel(registered, true, attempts, aborted, plan, decision);
  }

  JobModel planned(Set<TaskAttempt> selected) {
    return new JobModel(registered, true, attempts, aborted, Optional.of(selected), decision);
  }

  JobModel decided(State how) {
    return new JobModel(registered, true, attempts, aborted, plan, how);
  }

  Optional<Attempt> committed(TaskAttempt id) {
    return attempts.stream().filter(attempt -> attempt.id().equals(id)).findAny();
  }

  int ofTask(String task) {
    return (int) attempts.stream().filter(attempt -> attempt.id().task().equals(task)).count();
  }

  JobModel with(Attempt attempt) {
    Set<Attempt> more = new java.util.HashSet<>(attempts);
    more.add(attempt);
    return new JobModel(registered, fenced, Set.copyOf(more), aborted, plan, decision);
  }

  JobModel without(TaskAttempt id) {
    Set<TaskAttempt> more = new TreeSet<>(aborted);
    more.add(id);
    Set<Attempt> fewer =
        attempts.stream()
            .filter(attempt -> !attempt.id().equals(id))
            .collect(Collectors.toUnmodifiableSet());
    return new JobModel(registered, fenced, fewer, more, plan, decision);
  }

  /** Of each task the attempt that was committed last. */
  Set<TaskAttempt> lastOfEachTask() {
    Map<String, Attempt> last = new HashMap<>();
    for (Attempt attempt : attempts) {
      last.merge(
          attempt.id().task(),
          attempt,
          BinaryOperator.maxBy(
              Comparator.comparingInt(Attempt::sequence)
                  .thenComparingInt(each -> Integer.parseInt(each.id().attempt()))));
    }
    return last.values().stream().map(Attempt::id).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The files of chosen attempts, by their paths; empty where one of them is not committed. */
  Optional<Map<FsPath, String>> files(Set<TaskAttempt> chosen) {
    Map<FsPath, String> files = new TreeMap<>();
    for (TaskAttempt id : chosen) {
      Optional<Attempt> attempt = committed(id);
      if (attempt.isEmpty()) {
        return Optional.empty();
      }
      files.putAll(attempt.get().files());
    }
    return Optional.of(files);
  }
}
