// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.explorer.Answer;
import io.radosfs.connector.explorer.Behaviour;
import io.radosfs.connector.explorer.Tree;
import io.radosfs.connector.explorer.Tree.Node;
import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a commit of a job, of which there may be several, may do. The job is fenced; then it is
 * written down what will become visible; then that becomes visible in one step, before which what
 * is replaced has been looked up, one directory after another. What others add to a directory once
 * it was looked at stays, or goes with a directory that goes; but not what other jobs add that
 * replace, too.
 *
 * @param selection what this one makes visible, unless another has written it down
 */
record CommitBehaviour(JobSpec job, Selection selection) implements Behaviour {

  private static final int DIRECTORY = 0755;
  private static final int FILE = 0644;

  /** What is said where nothing is left of the job, and nothing tells how it has ended. */
  private static final String NOTHING_KNOWN = "it was aborted, or never set up";

  private static final Object PLANNED = "planned";

  /** The note of a file of a job that replaced. */
  private static final String OVERWRITING = "of a job that replaced";

  /**
   * What was there when it was looked up.
   *
   * @param unseen directories not looked at yet
   */
  private record Replaced(Set<FsPath> unseen, Map<FsPath, Node> nodes) {}

  @Override
  public List<Next> next(Tree tree, Object state, Answer answer) {
    List<Next> next = new ArrayList<>();
    for (Next end : ending(tree, state, answer)) {
      // It may make those directories again until it ends, where others remove them.
      next.add(job.elsewhere().isEmpty() ? end : new Next(end.tree(), end.state()));
    }
    for (FsPath elsewhere : job.elsewhere()) {
      for (FsPath path = elsewhere; !path.isRoot(); path = path.parent()) {
        if (mayBeMade(tree, path)) {
          next.add(new Next(tree.with(path, Node.directory(DIRECTORY)), state));
        }
      }
    }
    return next;
  }

  private List<Next> ending(Tree tree, Object state, Answer answer) {
    JobModel model = JobModel.of(tree, job.id());
    return switch (answer.kind()) {
      case REFUSED, FAILED -> failed(tree, model, answer);
      case RETURNED, UNKNOWN ->
          model.decision() == JobModel.State.COMMITTED
              ? List.of(Next.idle(tree))
              : model.isPending() ? goOn(tree, model, state) : List.of();
    };
  }

  /** The identity of a job's {@code _SUCCESS}. */
  private static String report(JobSpec job) {
    return Node.ANY_FILE + job.id();
  }

  /** Whether the destination tells that the job is committed, also once all else has gone. */
  static boolean isReported(Tree tree, JobSpec job) {
    return tree.at(job.file(JobPlan.SUCCESS_NAME))
        .filter(node -> node.file().equals(report(job)))
        .isPresent();
  }

  /** It may have fenced the job, and have written the plan, and no more. */
  private List<Next> failed(Tree tree, JobModel model, Answer answer) {
    if (model.decision() == JobModel.State.COMMITTED) {
      // A job that is committed, as far as anything tells, is never said to have failed.
      return !isReported(tree, job) && answer.text().contains(NOTHING_KNOWN)
          ? List.of(Next.idle(tree))
          : List.of();
    }
    if (!model.isPending() || model.plan().isPresent()) {
      return List.of(model.withoutEffect(tree));
    }
    Next planned = Next.done(tree.marked(job.id(), planned(model)));
    if (model.fenced()) {
      return job.reported() ? List.of(Next.done(tree), planned) : List.of(Next.idle(tree));
    }
    Next fenced = Next.done(tree.marked(job.id(), model.asFenced()));
    return job.reported()
        ? List.of(Next.done(tree), fenced, planned)
        : List.of(Next.done(tree), fenced);
  }

  private JobModel planned(JobModel model) {
    return model.planned(selection.exactly().orElseGet(model::lastOfEachTask));
  }

  private List<Next> goOn(Tree tree, JobModel model, Object state) {
    if (!model.fenced()) {
      return List.of(new Next(tree.marked(job.id(), model.asFenced()), state));
    }
    if (model.plan().isEmpty()) {
      return List.of(new Next(tree.marked(job.id(), planned(model)), PLANNED));
    }
    Optional<Map<FsPath, String>> files = model.files(model.plan().get());
    if (files.isEmpty()) {
      return List.of();
    }
    List<Next> next = new ArrayList<>();
    Tree done = tree.marked(job.id(), model.decided(JobModel.State.COMMITTED));
    if (job.kind() == JobSpec.Kind.APPEND) {
      add(done, files.get(), Set.of(), next);
      return next;
    }
    Set<FsPath> kept = job.kept(files.get().keySet());
    Set<FsPath> scopes = scopes(files.get().keySet(), kept);
    Replaced replaced = state instanceof Replaced begun ? begun : begun(scopes);
    if (replaced.unseen().isEmpty()) {
      add(withoutOverwriting(withoutThose(done, replaced), scopes), files.get(), scopes, next);
      add(withoutAll(done, scopes, kept), files.get(), scopes, next);
    }
    for (FsPath directory : replaced.unseen()) {
      next.add(
          new Next(
              tree, looked(tree, replaced, directory, kept, job.kind() != JobSpec.Kind.DYNAMIC)));
    }
    return next;
  }

  /**
   * @param scopes where it replaces
   */
  private void add(Tree cleared, Map<FsPath, String> files, Set<FsPath> scopes, List<Next> next) {
    Tree added = cleared;
    if (!added.takesMore(job.destination())) {
      return;
    }
    for (Map.Entry<FsPath, String> file : files.entrySet()) {
      if (added.isBelowAFile(file.getKey())
          || !added.takesMore(file.getKey().parent())
          || added.at(file.getKey()).isPresent()) {
        return;
      }
      added =
          overwriting(
              added.withDirectories(file.getKey().parent(), DIRECTORY),
              file.getKey(),
              new Node(file.getValue(), FILE),
              scopes);
    }
    if (job.success()) {
      if (added.isDirectory(job.file(JobPlan.SUCCESS_NAME))) {
        return; // that is refused
      }
      added =
          overwriting(
              added.withDirectories(job.destination(), DIRECTORY),
              job.file(JobPlan.SUCCESS_NAME),
              new Node(report(job), Node.ANY),
              scopes);
    }
    if (job.replacesDestination()) {
      // A file may have been there.
      added = added.withDirectories(job.destination(), DIRECTORY);
    }
    added = added.transacted(job.destination());
    for (FsPath elsewhere : job.elsewhere()) {
      added = added.transacted(elsewhere);
    }
    next.add(Next.done(added));
  }

  /** With a file, which others that replace see, or are seen by, where this job replaces, too. */
  private Tree overwriting(Tree tree, FsPath path, Node file, Set<FsPath> scopes) {
    Tree added = tree.with(path, file);
    return isReplacedUnderLock(path, scopes) ? added.noted(path, OVERWRITING) : added;
  }

  private boolean isReplacedUnderLock(FsPath path, Set<FsPath> scopes) {
    return scopes.stream().anyMatch(path::isAtOrBelow);
  }

  /** Those that are missing are made one by one, before the commit, whatever comes of that. */
  private static boolean mayBeMade(Tree tree, FsPath path) {
    return tree.at(path).isEmpty() && tree.isDirectory(path.parent()) && tree.takesMore(path);
  }

  private Replaced begun(Set<FsPath> scopes) {
    return new Replaced(scopes, Map.of());
  }

  /** The directories whose contents are replaced, or which are themselves where they get none. */
  private Set<FsPath> scopes(Set<FsPath> files, Set<FsPath> kept) {
    Set<FsPath> scopes = new TreeSet<>();
    switch (job.kind()) {
      case APPEND -> {}
      case OVERWRITE, NESTED -> scopes.add(job.destination());
      case STATIC -> scopes.add(job.partition());
      case DYNAMIC -> {
        files.stream().map(FsPath::parent).forEach(scopes::add);
        scopes.remove(job.destination());
      }
    }
    return scopes;
  }

  /**
   * @param recursive whether what is in directories that get files is replaced, too
   */
  private static Replaced looked(
      Tree tree, Replaced before, FsPath directory, Set<FsPath> kept, boolean recursive) {
    Set<FsPath> unseen = new TreeSet<>(before.unseen());
    Map<FsPath, Node> nodes = new TreeMap<>(before.nodes());
    unseen.remove(directory);
    if (!kept.contains(directory) || tree.isFile(directory)) {
      tree.at(directory).ifPresent(node -> nodes.put(directory, node));
      return new Replaced(unseen, nodes);
    }
    tree.children(directory)
        .forEach(
            (path, node) -> {
              if (node.isDirectory() && (recursive || !kept.contains(path))) {
                unseen.add(path);
              }
              if (!(node.isDirectory() && kept.contains(path))) {
                nodes.put(path, node);
              }
            });
    return new Replaced(unseen, nodes);
  }

  private static Tree withoutThose(Tree tree, Replaced replaced) {
    Tree rest = tree;
    for (Map.Entry<FsPath, Node> old : replaced.nodes().entrySet()) {
      if (rest.at(old.getKey())
          .filter(now -> now.file().equals(old.getValue().file()))
          .isPresent()) {
        rest = rest.without(old.getKey());
      }
    }
    return rest;
  }

  /**
   * Of two jobs that replace, each sees what the other one commits, or is seen: what this one
   * replaces has nothing left of the others, unless it was renamed.
   */
  private Tree withoutOverwriting(Tree tree, Set<FsPath> scopes) {
    Tree rest = tree;
    for (Map.Entry<FsPath, Node> old : tree.nodes().entrySet()) {
      FsPath path = old.getKey();
      if (tree.hasNote(path, OVERWRITING) && isReplacedUnderLock(path, scopes)) {
        rest = rest.without(path);
      }
    }
    return rest;
  }

  /** What others have added meanwhile may be seen, when it is looked again. */
  private static Tree withoutAll(Tree tree, Set<FsPath> scopes, Set<FsPath> kept) {
    Tree rest = tree;
    for (Map.Entry<FsPath, Node> old : tree.nodes().entrySet()) {
      FsPath path = old.getKey();
      boolean inScope =
          scopes.stream()
              .anyMatch(
                  scope ->
                      path.isAtOrBelow(scope)
                          && !(path.equals(scope)
                              && kept.contains(scope)
                              && old.getValue().isDirectory()));
      if (inScope && !(old.getValue().isDirectory() && kept.contains(path))) {
        rest = rest.without(path);
      }
    }
    return rest;
  }
}
