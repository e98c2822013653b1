package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.explorer.Answer;
import io.radosfs.connector.explorer.Behaviour;
import io.radosfs.connector.explorer.Tree;
import io.radosfs.connector.explorer.Tree.Node;
import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the commit of a job may do to a tree: one step, before which what is replaced has been
 * looked up. What others add meanwhile stays, or goes with a directory that goes.
 *
 * @param files the new ones' identities by their paths
 */
record CommitBehaviour(Map<FsPath, String> files, JobSteps.Kind kind, boolean success)
    implements Behaviour {

  private static final int DIRECTORY = 0755;
  private static final int FILE = 0644;

  /** What was there when it was looked up. */
  private record Replaced(Map<FsPath, Node> nodes) {}

  @Override
  public List<Next> next(Tree tree, Object state, Answer answer) {
    List<Next> next = new ArrayList<>();
    switch (answer.kind()) {
      case REFUSED, FAILED -> next.add(Next.idle(tree));
      case RETURNED, UNKNOWN -> {
        if (kind == JobSteps.Kind.APPEND) {
          add(tree, tree, next);
        } else if (state instanceof Replaced replaced) {
          add(tree, withoutThose(tree, replaced), next);
          add(tree, withoutAll(tree), next);
        } else {
          next.add(new Next(tree, new Replaced(inScope(tree))));
        }
      }
    }
    return next;
  }

  private void add(Tree tree, Tree cleared, List<Next> next) {
    Tree added = cleared;
    for (Map.Entry<FsPath, String> file : files.entrySet()) {
      if (tree.isBelowAFile(file.getKey()) || tree.isDirectory(file.getKey())) {
        return;
      }
      added =
          added
              .withDirectories(file.getKey().parent(), DIRECTORY)
              .with(file.getKey(), new Node(file.getValue(), FILE));
    }
    if (success) {
      added =
          added
              .withDirectories(SimulatedJobs.OUT, DIRECTORY)
              .with(
                  new FsPath(SimulatedJobs.OUT.key() + "/" + JobPlan.SUCCESS_NAME),
                  new Node(Node.ANY_FILE, Node.ANY));
    }
    next.add(Next.done(added));
  }

  private Set<FsPath> kept() {
    Set<FsPath> kept = new HashSet<>();
    for (FsPath file : files.keySet()) {
      for (FsPath path = file.parent(); !path.isRoot(); path = path.parent()) {
        kept.add(path);
      }
    }
    kept.add(SimulatedJobs.OUT);
    return kept;
  }

  private Map<FsPath, Node> inScope(Tree tree) {
    Map<FsPath, Node> nodes = new TreeMap<>();
    tree.nodes()
        .forEach(
            (path, node) -> {
              if (isInScope(path) && !(node.isDirectory() && kept().contains(path))) {
                nodes.put(path, node);
              }
            });
    return nodes;
  }

  private boolean isInScope(FsPath path) {
    return kind == JobSteps.Kind.OVERWRITE
        ? path.isAtOrBelow(SimulatedJobs.OUT) && !path.equals(SimulatedJobs.OUT)
        : files.keySet().stream()
            .map(FsPath::parent)
            .anyMatch(
                partition ->
                    !partition.equals(SimulatedJobs.OUT)
                        && path.isAtOrBelow(partition)
                        && !path.equals(partition));
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

  private Tree withoutAll(Tree tree) {
    Tree rest = tree;
    for (FsPath path : inScope(tree).keySet()) {
      rest = rest.without(path);
    }
    return rest;
  }
}
