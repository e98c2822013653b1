// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.Answer;
import io.radosfs.connector.explorer.Behaviour;
import io.radosfs.connector.explorer.Behaviour.Next;
import io.radosfs.connector.explorer.Tree;
import io.radosfs.connector.explorer.TreeBehaviours;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is done to jobs, but for their commit: see {@link CommitBehaviour}. */
final class JobBehaviours {

  private static final String ABORTED = JobModel.State.ABORTED.name();

  private static final Answer TOLD_ABORTED =
      new Answer(Answer.Kind.RETURNED, AbortJobStage.Outcome.ABORTED, ABORTED);

  private JobBehaviours() {}

  /**
   * Makes the destination, again where others remove it, and then registers. Registers at once
   * where it is a file that the job replaces.
   */
  static Behaviour setUp(JobSpec job) {
    Behaviour making = TreeBehaviours.mkdirsWhileMissing(job.destination());
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      for (Next made : making.next(tree, state, answer)) {
        if (!made.state().equals(Behaviour.DONE)) {
          for (Tree after : List.of(made.tree(), withPermissionOfBefore(tree, made.tree()))) {
            boolean isMade = after.isDirectory(job.destination());
            next.add(new Next(isMade ? after.marked(made(job), true) : after, made.state()));
          }
          continue;
        }
        if (!answer.is(Answer.Kind.RETURNED)) {
          next.add(made);
        }
        if (made.tree().takesMore(job.destination())) {
          next.add(registered(made.tree(), job));
        }
      }
      boolean isReplaced = tree.isFile(job.destination()) && job.replacesDestination();
      if (isReplaced && !answer.is(Answer.Kind.REFUSED)) {
        next.add(Next.done(tree.marked(job.id(), JobModel.of(tree, job.id()).asRegistered())));
      }
      boolean refused = answer.is(Answer.Kind.REFUSED) && !tree.isDirectory(job.destination());
      if (refused || answer.is(Answer.Kind.UNKNOWN)) {
        next.add(Next.done(tree));
      }
      if (answer.is(Answer.Kind.UNKNOWN)
          && tree.isDirectory(job.destination())
          && tree.takesMore(job.destination())) {
        next.add(registered(tree, job));
      }
      return next;
    };
  }

  /**
   * Goes on with the first job that has a record; else aborts those of earlier drivers, the latest
   * first, and goes on with one that is committed; else sets its own up. None of these is committed
   * then, as far as anything tells.
   */
  static Behaviour resume(JobSpec own, List<JobSpec> earlier) {
    Behaviour setUp = setUp(own);
    return (tree, state, answer) -> {
      int ended = state.equals(Behaviour.START) ? 0 : (int) state;
      boolean isOwn = !answer.is(Answer.Kind.RETURNED) || own.id().equals(answer.value());
      if (ended == earlier.size()) {
        return isOwn ? setUp.next(tree, state, answer) : List.of();
      }
      List<Next> next = new ArrayList<>();
      if (!isOwn && JobModel.of(tree, (String) answer.value()).registered()) {
        next.add(Next.done(tree));
      }
      if (earlier.get(ended).id().equals(answer.value())) {
        return next;
      }
      boolean goesOn = answer.is(Answer.Kind.RETURNED) || answer.is(Answer.Kind.REFUSED);
      for (Next aborted :
          abort(earlier.get(ended)).next(tree, state, goesOn ? TOLD_ABORTED : answer)) {
        next.add(new Next(aborted.tree(), ended + 1));
        if (answer.is(Answer.Kind.FAILED)) {
          next.add(Next.done(aborted.tree()));
        }
      }
      return next;
    };
  }

  /** In its destination, which is followed. */
  private static Next registered(Tree tree, JobSpec job) {
    return Next.done(
        tree.following(job.id(), job.destination())
            .marked(job.id(), JobModel.of(tree, job.id()).asRegistered()));
  }

  private static String made(JobSpec job) {
    return "made by " + job.id();
  }

  /** The job is aborted, by whomever, and the directory that it has made is empty. */
  static Behaviour takeBack(JobSpec job) {
    return (tree, state, answer) ->
        tree.marks().containsKey(made(job))
                && tree.isDirectory(job.destination())
                && tree.children(job.destination()).isEmpty()
                && JobModel.of(tree, job.id()).decision() != JobModel.State.COMMITTED
            ? List.of(Next.done(tree.without(job.destination())))
            : List.of();
  }

  /**
   * Where others remove the destination while the job is registered there, it is made again as it
   * was seen before: with whatever permission it had then.
   */
  private static Tree withPermissionOfBefore(Tree before, Tree made) {
    Tree remade = made;
    for (Map.Entry<FsPath, Tree.Node> node : made.nodes().entrySet()) {
      if (before.at(node.getKey()).isEmpty()) {
        Tree.Node any = new Tree.Node("", Tree.Node.ANY, node.getValue().layout());
        remade = remade.with(node.getKey(), any);
      }
    }
    return remade;
  }

  /** Sees how many attempts of the task are committed, and then commits: I6. */
  static Behaviour commitTask(JobSpec job, TaskAttempt id, Map<FsPath, String> files) {
    return (tree, state, answer) -> {
      if (answer.is(Answer.Kind.FAILED) || answer.is(Answer.Kind.REFUSED)) {
        return List.of(Next.idle(tree));
      }
      JobModel model = JobModel.of(tree, job.id());
      if (model.committed(id).isPresent()) {
        return List.of(Next.idle(tree));
      }
      if (!model.runs() || model.aborted().contains(id)) {
        return List.of();
      }
      if (state.equals(Behaviour.START)) {
        return List.of(new Next(tree, model.ofTask(id.task())));
      }
      JobModel.Attempt attempt = new JobModel.Attempt(id, (Integer) state, files);
      return List.of(Next.done(tree.marked(job.id(), model.with(attempt))));
    };
  }

  /**
   * Finds all jobs that were registered in their destination and not decided from the beginning to
   * the end, and of no such job another decision than it had at some instant between. So what is
   * not found, or found to be aborted, was aborted: by a recovery, which the tree does not tell. A
   * destination that was removed tells nothing of its jobs any more.
   */
  static Behaviour list() {
    return (tree, state, answer) -> {
      if (!answer.is(Answer.Kind.RETURNED)) {
        return List.of(Next.idle(tree));
      }
      Map<String, String> read = new TreeMap<>();
      ((Map<?, ?>) answer.value()).forEach((id, found) -> read.put((String) id, found.toString()));
      Listed before = state instanceof Listed begun ? begun : Listed.begun(tree);
      Listed now = before.and(tree, read);
      if (now.explained().containsAll(registered(tree, read.keySet()))) {
        return List.of(Next.idle(now.withAborted(tree, read)));
      }
      return now.equals(state) ? List.of() : List.of(new Next(tree, now));
    };
  }

  /** Those of the jobs whose destination is there since they were set up. */
  private static Set<String> registered(Tree tree, Set<String> jobs) {
    return jobs.stream().filter(id -> tree.followed(id).isPresent()).collect(Collectors.toSet());
  }

  /**
   * What a listing of jobs has met so far.
   *
   * @param pending the jobs that were registered and not decided at every instant
   * @param explained the jobs that had at some instant the decision that was read
   */
  private record Listed(Set<String> pending, Set<String> explained) {

    static Listed begun(Tree tree) {
      return new Listed(pending(tree, tree.marks().keySet()), Set.of());
    }

    private static Set<String> pending(Tree tree, Set<String> jobs) {
      return registered(tree, jobs).stream()
          .filter(id -> JobModel.of(tree, id).isPending())
          .collect(Collectors.toSet());
    }

    Listed and(Tree tree, Map<String, String> read) {
      Set<String> more = new HashSet<>(explained);
      for (String id : registered(tree, read.keySet())) {
        JobModel job = JobModel.of(tree, id);
        if (job.decision().name().equals(read.get(id))
            || (job.isPending() && read.get(id).equals(ABORTED))) {
          more.add(id);
        }
      }
      return new Listed(pending(tree, pending), more);
    }

    Tree withAborted(Tree tree, Map<String, String> read) {
      Tree known = tree;
      for (String id : pending) {
        if (read.getOrDefault(id, ABORTED).equals(ABORTED)) {
          known = known.marked(id, JobModel.of(known, id).decided(JobModel.State.ABORTED));
        }
      }
      return known;
    }
  }

  /** Voids an attempt, unless the job's own end does it. */
  static Behaviour abortTask(JobSpec job, TaskAttempt id) {
    return (tree, state, answer) -> {
      JobModel model = JobModel.of(tree, job.id());
      Next voided = Next.done(tree.marked(job.id(), model.without(id)));
      if (!model.runs() || model.aborted().contains(id)) {
        return List.of(model.withoutEffect(tree));
      }
      return answer.is(Answer.Kind.FAILED) || answer.is(Answer.Kind.REFUSED)
          ? List.of(Next.done(tree), voided)
          : List.of(voided);
    };
  }

  /** Until the commit is decided, abort wins; after it, the job is committed and says so. */
  static Behaviour abort(JobSpec job) {
    return (tree, state, answer) -> {
      JobModel model = JobModel.of(tree, job.id());
      if (answer.value() == AbortJobStage.Outcome.COMMITTED) {
        return model.decision() == JobModel.State.COMMITTED ? List.of(Next.idle(tree)) : List.of();
      }
      boolean aborts = model.isPending();
      Next aborted = Next.done(tree.marked(job.id(), model.decided(JobModel.State.ABORTED)));
      if (answer.is(Answer.Kind.RETURNED)) {
        return aborts
            ? List.of(aborted)
            : model.decision() == JobModel.State.COMMITTED && CommitBehaviour.isReported(tree, job)
                ? List.of()
                : List.of(model.withoutEffect(tree));
      }
      return aborts ? List.of(Next.done(tree), aborted) : List.of(model.withoutEffect(tree));
    };
  }
}
