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
import java.util.TreeSet;

/**
 * What the commit of a job may do to a tree: one step, before which what is replaced has been
 * looked up, one directory after another. What others add to a directory once it was looked at
 * stays, or goes with a directory that goes.
 *
 * @param files the new ones' identities by their paths
 */
record CommitBehaviour(Map<FsPath, String> files, JobSteps.Kind kind, boolean success)
    implements Behaviour {

  private static final int DIRECTORY = 0755;
  private static final int FILE = 0644;

  /**
   * What was there when it was looked up.
   *
   * @param unseen directories not looked at yet
   */
  private record Replaced(Set<FsPath> unseen, Map<FsPath, Node> nodes) {}

  @Override
  public List<Next> next(Tree tree, Object state, Answer answer) {
    List<Next> next = new ArrayList<>();
    switch (answer.kind()) {
      case REFUSED, FAILED -> next.add(Next.idle(tree));
      case RETURNED, UNKNOWN -> {
        if (kind == JobSteps.Kind.APPEND) {
          add(tree, tree, next);
        } else {
          Replaced replaced =
              state instanceof Replaced begun ? begun : new Replaced(scopes(), Map.of());
          if (replaced.unseen().isEmpty()) {
            add(tree, withoutThose(tree, replaced), next);
            add(tree, withoutAll(tree), next);
          }
          for (FsPath directory : replaced.unseen()) {
            next.add(new Next(tree, looked(tree, replaced, directory)));
          }
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

  /** The directories whose contents are replaced. */
  private Set<FsPath> scopes() {
    Set<FsPath> scopes = new TreeSet<>();
    if (kind == JobSteps.Kind.OVERWRITE) {
      scopes.add(SimulatedJobs.OUT);
    } else {
      files.keySet().stream().map(FsPath::parent).forEach(scopes::add);
      scopes.remove(SimulatedJobs.OUT);
    }
    return scopes;
  }

  private Replaced looked(Tree tree, Replaced before, FsPath directory) {
    Set<FsPath> unseen = new TreeSet<>(before.unseen());
    Map<FsPath, Node> nodes = new TreeMap<>(before.nodes());
    unseen.remove(directory);
    tree.children(directory)
        .forEach(
            (path, node) -> {
              if (node.isDirectory()) {
                unseen.add(path);
              }
              if (!(node.isDirectory() && kept().contains(path))) {
                nodes.put(path, node);
              }
            });
    return new Replaced(unseen, nodes);
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
    return scopes().stream().anyMatch(scope -> path.isAtOrBelow(scope) && !path.equals(scope));
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
