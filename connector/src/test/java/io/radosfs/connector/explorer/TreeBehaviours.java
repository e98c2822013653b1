// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.explorer.Answer.Kind;
import io.radosfs.connector.explorer.Behaviour.Next;
import io.radosfs.connector.explorer.Tree.Node;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.upkeep.Adoption;
import io.radosfs.connector.upkeep.Adoption.Adopted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The operations of a name space, as {@code Namespace} describes them. */
public final class TreeBehaviours {

  static final int PERMISSION = 0755;

  /** A file that nobody will see. */
  static final Node NO_FILE = new Node("none", PERMISSION);

  /** What the marks begin with of files that were made of objects of other programs. */
  private static final String ADOPTED = "adopted ";

  private static final Object RUNNING = "running";
  private static final Object MADE = "made";

  /** The state of a write whose directory once had the layout that its file was begun with. */
  private static final Object BEGUN = "begun";

  private TreeBehaviours() {}

  /** One that has no effect on the tree, whatever comes of it. */
  public static Behaviour nothing() {
    return (tree, state, answer) -> List.of(Next.idle(tree));
  }

  /** One that takes effect at one instant; where it cannot, it is refused. */
  static Behaviour atomic(Function<Tree, Optional<Tree>> effect) {
    return (tree, state, answer) -> {
      Optional<Tree> after = effect.apply(tree);
      return switch (answer.kind()) {
        case RETURNED, UNKNOWN -> after.map(Next::done).map(List::of).orElse(List.of());
        case REFUSED -> after.isEmpty() ? List.of(Next.idle(tree)) : List.of();
        case FAILED -> List.of(Next.idle(tree));
      };
    };
  }

  /** One that reads; what it returns is to be so at one instant. */
  private static <T> Behaviour reading(
      Class<T> type, BiPredicate<Tree, T> seen, Function<Tree, Boolean> refused) {
    return (tree, state, answer) -> {
      boolean explained =
          switch (answer.kind()) {
            case RETURNED -> seen.test(tree, type.cast(answer.value()));
            case REFUSED -> refused.apply(tree);
            case FAILED, UNKNOWN -> true;
          };
      return explained ? List.of(Next.idle(tree)) : List.of();
    };
  }

  /** Returns the node, if any. */
  static Behaviour lookup(FsPath path) {
    return reading(
        Optional.class,
        (tree, read) ->
            read.isEmpty()
                ? tree.at(path).isEmpty()
                : tree.at(path).filter(node -> node.matches((Node) read.get())).isPresent(),
        tree -> false);
  }

  /** Returns what new files of a directory get. */
  static Behaviour layoutOf(FsPath path) {
    return reading(
        DataLayout.class,
        (tree, read) ->
            tree.isDirectory(path) && Node.mayBeSame(tree.layout(path), Optional.of(read)),
        tree -> !tree.isDirectory(path));
  }

  /** Returns the children, or a file itself, by their paths. */
  static Behaviour list(FsPath path) {
    return reading(
        Map.class,
        (tree, read) -> {
          Map<FsPath, Node> there =
              tree.isFile(path) ? Map.of(path, tree.nodes().get(path)) : tree.children(path);
          return (tree.isDirectory(path) || tree.isFile(path)) && same(there, read);
        },
        tree -> !path.isRoot() && tree.at(path).isEmpty());
  }

  /**
   * The same, read in several pages or from several shards: what changes one name by itself may
   * come between two of them. Of what transactions change, all is of the instant when it began.
   */
  static Behaviour listInParts(FsPath path) {
    Behaviour atOnce = list(path);
    return (tree, state, answer) -> {
      List<Next> end = atOnce.next(tree, state, answer);
      if (!end.isEmpty() || !answer.is(Kind.RETURNED) || !tree.isDirectory(path)) {
        return end;
      }
      Map<?, ?> read = (Map<?, ?>) answer.value();
      Parts before = state instanceof Parts begun ? begun : Parts.none(tree, path, read.keySet());
      Parts parts = before.and(tree, path, read);
      if (parts.equals(state)) {
        return List.of();
      }
      return List.of(parts.explain(read) ? Next.idle(tree) : new Next(tree, parts));
    };
  }

  /**
   * What a listing may have read so far.
   *
   * @param transactions how many had changed each name when it began
   * @param seen the names that were at one instant as they were read
   * @param unread the names that were not read, and were there at every instant
   */
  private record Parts(Map<FsPath, Integer> transactions, Set<FsPath> seen, Set<FsPath> unread) {

    static Parts none(Tree tree, FsPath path, Set<?> read) {
      Map<FsPath, Integer> transactions = new TreeMap<>();
      Set<FsPath> there = tree.children(path).keySet();
      there.forEach(name -> transactions.put(name, tree.transactions(name)));
      read.forEach(
          name ->
              transactions.computeIfAbsent((FsPath) name, missing -> tree.transactions(missing)));
      return new Parts(transactions, Set.of(), there);
    }

    /** With what may be read at this instant. */
    Parts and(Tree tree, FsPath path, Map<?, ?> read) {
      Set<FsPath> more = new TreeSet<>(seen);
      Set<FsPath> still = new TreeSet<>(unread);
      Map<FsPath, Node> children = tree.children(path);
      still.removeIf(name -> isAsItBegan(tree, name) && !children.containsKey(name));
      children.forEach(
          (name, node) -> {
            if (read.get(name) instanceof Node there
                && node.matches(there)
                && isAsItBegan(tree, name)) {
              more.add(name);
            }
          });
      still.removeIf(read::containsKey);
      return new Parts(transactions, more, still);
    }

    /** Whether no transaction has changed a name since. */
    private boolean isAsItBegan(Tree tree, FsPath name) {
      return tree.transactions(name) == transactions.get(name);
    }

    boolean explain(Map<?, ?> read) {
      return seen.equals(read.keySet()) && unread.isEmpty();
    }
  }

  /** Returns all nodes, as when nobody else is there. */
  static Behaviour everything() {
    return reading(Map.class, (tree, read) -> same(tree.nodes(), read), tree -> false);
  }

  private static boolean same(Map<FsPath, Node> there, Map<?, ?> read) {
    return there.keySet().equals(read.keySet())
        && there.entrySet().stream()
            .allMatch(entry -> entry.getValue().matches((Node) read.get(entry.getKey())));
  }

  /**
   * The same for one that this client is writing at that path, too: its file gets it when it is
   * closed, so that nothing need be there.
   */
  static Behaviour setPermissionOfUnfinished(FsPath path, int permission) {
    Behaviour set = setPermission(path, permission);
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>(set.next(tree, state, answer));
      if (answer.is(Kind.RETURNED) && tree.at(path).isEmpty()) {
        next.add(Next.done(tree));
      }
      return next;
    };
  }

  static Behaviour setPermission(FsPath path, int permission) {
    return atomic(tree -> tree.at(path).map(node -> tree.with(path, node.with(permission))));
  }

  /**
   * Gives something another name at one instant; an empty directory that it replaces is removed
   * before.
   */
  static Behaviour rename(FsPath source, FsPath destination, boolean overwrite) {
    Behaviour move = move(source, destination, overwrite, tree -> true);
    // What was a directory when the one in its way was removed may be a file by now.
    Behaviour moveDirectory =
        move(source, destination, overwrite, tree -> tree.isDirectory(source));
    return (tree, state, answer) -> {
      boolean hasRemoved = state.equals(RUNNING);
      List<Next> next =
          new ArrayList<>((hasRemoved ? moveDirectory : move).next(tree, state, answer));
      if (overwrite
          && tree.at(destination).filter(Node::isDirectory).isPresent()
          && tree.children(destination).isEmpty()) {
        next.add(new Next(tree.without(destination), RUNNING));
      }
      if (answer.is(Kind.REFUSED) && hasRemoved && tree.at(destination).isPresent()) {
        // Made anew by somebody else once it was removed.
        next.add(Next.done(tree));
      }
      if (answer.is(Kind.FAILED)) {
        next.replaceAll(end -> end.idle() ? Next.done(end.tree()) : end);
      }
      return next;
    };
  }

  private static Behaviour move(
      FsPath source, FsPath destination, boolean overwrite, Predicate<Tree> mayBe) {
    return atomic(
        tree -> {
          boolean possible =
              tree.at(source).isPresent()
                  && mayBe.test(tree)
                  && tree.isDirectory(destination.parent())
                  && tree.takesMore(destination.parent())
                  && !destination.isAtOrBelow(source)
                  && isFree(tree, source, destination, overwrite);
          return possible ? Optional.of(tree.moved(source, destination)) : Optional.empty();
        });
  }

  private static boolean isFree(Tree tree, FsPath source, FsPath destination, boolean overwrite) {
    if (tree.at(destination).isEmpty()) {
      return true;
    }
    return overwrite
        && tree.isFile(source) == tree.isFile(destination)
        && tree.children(destination).isEmpty();
  }

  /**
   * Directories appear from the top. Those above the last are made again where others remove them
   * meanwhile; the last is made once.
   */
  static Behaviour mkdirs(FsPath path) {
    Behaviour making = mkdirsWhileMissing(path);
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      for (Next step : making.next(tree, state, answer)) {
        boolean makes = tree.at(path).isEmpty() && step.tree().at(path).isPresent();
        if (!makes) {
          next.add(step);
        } else if (state != MADE) {
          next.add(new Next(step.tree(), MADE));
        }
      }
      return next;
    };
  }

  /** Directories appear from the top, also where others remove them meanwhile. */
  public static Behaviour mkdirsWhileMissing(FsPath path) {
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      if (tree.isBelowAFile(path) || tree.isFile(path)) {
        if (answer.is(Kind.REFUSED)) {
          next.add(Next.done(tree));
        }
      } else if (tree.isDirectory(path)) {
        if (answer.is(Kind.RETURNED)) {
          next.add(Next.done(tree));
        }
      } else {
        makeHighest(tree, state, path, next);
      }
      if (answer.is(Kind.FAILED)) {
        next.add(Next.done(tree));
      }
      return next;
    };
  }

  /** Makes the highest missing directory, unless it is in one that is being removed. */
  private static void makeHighest(Tree tree, Object state, FsPath path, List<Next> next) {
    FsPath highest = path;
    while (!tree.isDirectory(highest.parent())) {
      highest = highest.parent();
    }
    if (tree.takesMore(highest.parent())) {
      Node made = Node.directory(PERMISSION).with(tree.layoutOfNew(highest));
      next.add(new Next(tree.with(highest, made), state));
    }
  }

  /** Makes a directory that something is put into, also where others remove it meanwhile. */
  private static void make(Tree tree, Object state, FsPath directory, List<Next> next) {
    if (!tree.isDirectory(directory) && !tree.isBelowAFile(directory) && !tree.isFile(directory)) {
      makeHighest(tree, state, directory, next);
    }
  }

  /**
   * Creates, writes and closes a file; it appears at one instant. Parents may be made before, and
   * made again if others remove them meanwhile. It is in the layout that its directory has at some
   * instant before, or while it appears.
   *
   * @param layout that of the file; empty for any
   */
  static Behaviour write(
      FsPath path,
      boolean overwrite,
      boolean createParent,
      String file,
      int permission,
      Optional<DataLayout> layout) {
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      boolean below = tree.isBelowAFile(path);
      boolean parent = tree.isDirectory(path.parent()) && tree.takesMore(path.parent());
      if (createParent) {
        make(tree, state, path.parent(), next);
      }
      boolean free = overwrite ? !tree.isDirectory(path) : tree.at(path).isEmpty();
      boolean ofLayout = parent && Node.mayBeSame(tree.layout(path.parent()), layout);
      switch (answer.kind()) {
        case RETURNED, UNKNOWN -> {
          if (parent && free && (ofLayout || state.equals(BEGUN))) {
            next.add(Next.done(tree.with(path, new Node(file, permission, layout))));
          }
          if (ofLayout && !state.equals(BEGUN)) {
            next.add(new Next(tree, BEGUN));
          }
        }
        case REFUSED -> {
          if (below
              || !parent
              || !free
              // A directory that is being removed takes no files, also while it is there still.
              || answer.text().contains("its directory was removed while it was written")) {
            next.add(Next.done(tree));
          }
        }
        case FAILED -> next.add(Next.done(tree));
      }
      return next;
    };
  }

  /**
   * Makes a file of retained data, as one that is written. It is refused, too, where a collection
   * or another client has taken the data: of that a tree knows nothing.
   */
  static Behaviour restore(FsPath path, Node file) {
    return publish(path, file, tree -> tree, " is gone");
  }

  /**
   * Makes a file of an object of another program, as one that is written. It is refused, too, where
   * there is no object, and returns without an effect where the object is a file's: of that a tree
   * knows nothing but whether a file is there.
   *
   * @param file what it becomes; {@link #NO_FILE} where it did not come to that
   */
  static Behaviour adopt(FsPath path, Node file) {
    Behaviour publish =
        publish(path, file, tree -> tree.marked(ADOPTED + file.file(), path), "there is no object");
    return (tree, state, answer) -> {
      if (answer.value() instanceof Adopted told && told.outcome() != Adoption.Outcome.ADOPTED) {
        boolean explained = told.outcome() == Adoption.Outcome.OF_ANOTHER_FILE || tree.isFile(path);
        return explained ? List.of(Next.idle(tree)) : List.of();
      }
      return publish.next(tree, state, answer);
    };
  }

  /** One of the files was there, of an object of another program. */
  static Behaviour wasAdopted(Set<String> files) {
    return (tree, state, answer) ->
        files.stream().anyMatch(file -> tree.marks().containsKey(ADOPTED + file))
            ? List.of(Next.idle(tree))
            : List.of();
  }

  /**
   * Makes a file of data that is there, if the name is free.
   *
   * @param noted of the tree, when it appears
   * @param withoutData what the refusal says if the data is not there
   */
  private static Behaviour publish(
      FsPath path, Node file, UnaryOperator<Tree> noted, String withoutData) {
    Behaviour write = write(path, false, true, file.file(), file.permission(), Optional.empty());
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>(write.next(tree, state, answer));
      next.replaceAll(
          end ->
              end.tree() != tree && end.tree().isFile(path)
                  ? new Next(noted.apply(end.tree().with(path, file)), end.state(), end.idle())
                  : end);
      if (answer.is(Kind.REFUSED) && answer.text().contains(withoutData)) {
        next.add(Next.done(tree));
      }
      return next;
    };
  }

  /**
   * Removes what is at a path; a directory that may have children from the leaves up, each one's
   * files at one instant, from which on it takes no more, and then itself. Returns whether there
   * was anything. Another directory that is at the path by then is not touched, unless the path is
   * looked at again.
   *
   * @param loses whether answers may be lost: whoever finds the name free then of the file that was
   *     to be removed is told that it is, whoever was faster, also by a rename
   */
  static Behaviour delete(FsPath path, boolean recursive, boolean loses) {
    Object removal = new Object();
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      if (answer.is(Kind.FAILED) || (recursive && answer.is(Kind.REFUSED))) {
        next.add(Next.done(tree.notFollowing(removal)));
      }
      boolean mayRemove = answer.is(Kind.UNKNOWN) || Boolean.TRUE.equals(answer.value());
      if (state.equals(RUNNING) && tree.isFile(path)) {
        next.add(new Next(tree.notFollowing(removal), Behaviour.START));
      } else if (state.equals(RUNNING) && tree.followed(removal).filter(path::equals).isPresent()) {
        removeDirectories(tree, path, recursive, answer, mayRemove, next);
        // A directory is removed by whoever is the last.
        next.replaceAll(
            n ->
                n.state().equals(Behaviour.DONE)
                    ? new Next(n.tree().notFollowing(removal), n.state(), n.idle())
                    : n);
      } else if (state.equals(RUNNING)) {
        boolean freed = loses && tree.at(path).isEmpty() && mayRemove;
        if (freed || tree.followed(removal).isEmpty() && answer.is(Kind.RETURNED)) {
          // Others have removed it as well, at the same time.
          next.add(Next.done(tree.notFollowing(removal)));
        }
        next.add(new Next(tree.notFollowing(removal), Behaviour.START));
      } else if (tree.at(path).isEmpty()) {
        if (Boolean.FALSE.equals(answer.value())) {
          next.add(Next.done(tree));
        }
      } else if (tree.isDirectory(path)) {
        next.add(new Next(tree.following(removal, path), RUNNING));
      } else if (mayRemove) {
        next.add(Next.done(tree.without(path)));
        if (loses && state.equals(Behaviour.START)) {
          next.add(new Next(tree.following(removal, path), RUNNING));
        }
      }
      return next;
    };
  }

  private static void removeDirectories(
      Tree tree,
      FsPath path,
      boolean recursive,
      Answer answer,
      boolean mayRemove,
      List<Next> next) {
    if (!recursive && !tree.children(path).isEmpty()) {
      if (answer.is(Kind.REFUSED)) {
        next.add(Next.done(tree));
      }
      return;
    }
    for (FsPath leaf : tree.leaves(path)) {
      if (!tree.children(leaf).isEmpty()) {
        Tree emptied = tree;
        for (FsPath file : tree.children(leaf).keySet()) {
          emptied = emptied.without(file);
        }
        next.add(new Next(emptied.closed(leaf), RUNNING));
      } else if (!leaf.equals(path)) {
        next.add(new Next(tree.without(leaf), RUNNING));
      } else if (mayRemove) {
        next.add(Next.done(tree.without(leaf)));
      }
    }
  }

  /**
   * Changes a directory's layout, once.
   *
   * @param sharded whether directories may have shards, which get it one after another
   */
  static Behaviour layout(FsPath path, DataLayout layout, boolean sharded) {
    return (tree, state, answer) -> {
      List<Next> next = new ArrayList<>();
      Optional<Node> directory = tree.at(path).filter(Node::isDirectory);
      if (directory.isPresent() && (answer.is(Kind.RETURNED) || answer.is(Kind.UNKNOWN))) {
        next.add(Next.done(tree.with(path, directory.get().with(Optional.of(layout)))));
      }
      if (answer.is(Kind.REFUSED) || answer.is(Kind.FAILED)) {
        next.add(Next.done(tree));
      }
      if (sharded && directory.flatMap(Node::layout).isPresent()) {
        next.add(new Next(tree.with(path, directory.get().with(Optional.empty())), RUNNING));
      }
      return next;
    };
  }

  /** Returns the paths that could not be removed. */
  static Behaviour deleteAll(Set<FsPath> paths) {
    return (tree, state, answer) -> {
      Set<?> left = state.equals(Behaviour.START) ? paths : (Set<?>) state;
      List<Next> next = new ArrayList<>();
      for (FsPath path : paths) {
        if (!left.contains(path)) {
          continue;
        }
        Set<Object> rest = new TreeSet<>(left);
        rest.remove(path);
        Object then = rest.isEmpty() ? Behaviour.DONE : rest;
        boolean failed = !answer.is(Kind.RETURNED) || ((Set<?>) answer.value()).contains(path);
        if (failed || tree.at(path).isEmpty()) {
          next.add(new Next(tree, then));
        }
        if (tree.at(path).isPresent() && tree.children(path).isEmpty()) {
          next.add(new Next(tree.without(path), then));
        }
      }
      return next;
    };
  }
}
