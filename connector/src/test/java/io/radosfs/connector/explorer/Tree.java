// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A plain tree in memory, which is what a file system is to look like. Immutable. The root is a
 * directory always and not among the nodes.
 *
 * @param marks what else operations have come to, which nobody sees in the tree: the states of
 *     jobs, and how many transactions there were, with value semantics
 * @param followed where directories are by now that operations have begun with: a directory that is
 *     removed and made again is another one
 */
public record Tree(
    Map<FsPath, Node> nodes, Map<String, Object> marks, Map<Object, FsPath> followed) {

  /** What the marks begin with that count transactions, by the path that they changed. */
  private static final String TRANSACTIONS = "transactions at ";

  private static final String NOTE = "note at ";

  static final Tree EMPTY = new Tree(Map.of(), Map.of(), Map.of());

  /**
   * What is at a path.
   *
   * @param file the file's identity; empty for a directory
   * @param permission {@link #ANY} where it is not known
   * @param layout what a directory's new files get, or what a file was begun with; empty where it
   *     is not known
   */
  public record Node(String file, int permission, Optional<DataLayout> layout) {

    public static final int ANY = -1;

    /** What the identity of a file begins with of which nobody knows it. */
    public static final String ANY_FILE = "*";

    /** Of a layout that is not known. */
    public Node(String file, int permission) {
      this(file, permission, Optional.empty());
    }

    /** Of a layout that is not known. */
    public static Node directory(int permission) {
      return new Node("", permission);
    }

    public boolean isDirectory() {
      return file.isEmpty();
    }

    Node with(int otherPermission) {
      return new Node(file, otherPermission, layout);
    }

    Node with(Optional<DataLayout> otherLayout) {
      return new Node(file, permission, otherLayout);
    }

    /** Whether one that was read may be this. */
    boolean matches(Node read) {
      boolean same = file.startsWith(ANY_FILE) ? !read.file.isEmpty() : file.equals(read.file);
      return same
          && (permission == ANY || permission == read.permission)
          && mayBeSame(layout, read.layout);
    }

    static boolean mayBeSame(Optional<DataLayout> one, Optional<DataLayout> other) {
      return one.isEmpty() || other.isEmpty() || one.equals(other);
    }
  }

  public Optional<Node> at(FsPath path) {
    return Optional.ofNullable(nodes.get(path));
  }

  public boolean isDirectory(FsPath path) {
    return path.isRoot() || at(path).filter(Node::isDirectory).isPresent();
  }

  public boolean isFile(FsPath path) {
    return at(path).filter(node -> !node.isDirectory()).isPresent();
  }

  /** What new files of a directory get; empty where it is not known. */
  Optional<DataLayout> layout(FsPath directory) {
    return directory.isRoot()
        ? Optional.of(DataLayout.DEFAULT)
        : at(directory).flatMap(Node::layout);
  }

  /** What a directory gets that is made by itself; empty where it is not known. */
  Optional<DataLayout> layoutOfNew(FsPath directory) {
    boolean prepared =
        marks.values().stream()
            .anyMatch(
                mark -> mark instanceof MakesDirectories other && other.mayBeMaking(directory));
    return prepared ? Optional.empty() : layout(directory.parent());
  }

  /** Whether a file stands where a directory of the path should be. */
  public boolean isBelowAFile(FsPath path) {
    for (FsPath above = path; !above.isRoot(); ) {
      above = above.parent();
      if (isFile(above)) {
        return true;
      }
    }
    return false;
  }

  public Map<FsPath, Node> children(FsPath directory) {
    Map<FsPath, Node> children = new TreeMap<>();
    nodes.forEach(
        (path, node) -> {
          if (path.parent().equals(directory)) {
            children.put(path, node);
          }
        });
    return children;
  }

  /** The directories at or below a path that have no directory in them. */
  List<FsPath> leaves(FsPath top) {
    List<FsPath> leaves = new ArrayList<>();
    nodes.forEach(
        (path, node) -> {
          if (node.isDirectory()
              && path.isAtOrBelow(top)
              && children(path).values().stream().noneMatch(Node::isDirectory)) {
            leaves.add(path);
          }
        });
    return leaves;
  }

  /** With the directory at a path followed, wherever it is moved, until it is removed. */
  public Tree following(Object follower, FsPath path) {
    Map<Object, FsPath> changed = new HashMap<>(followed);
    changed.put(follower, path);
    return new Tree(nodes, marks, changed);
  }

  Tree notFollowing(Object follower) {
    Map<Object, FsPath> changed = new HashMap<>(followed);
    changed.remove(follower);
    return new Tree(nodes, marks, changed);
  }

  /**
   * With a directory that takes nothing more, as a removal has closed it: whoever wants to put
   * something there must have it removed, and make it anew.
   */
  Tree closed(FsPath directory) {
    return following(new Closed(directory), directory);
  }

  /** Whether no directory that is being removed is there, nor above. */
  public boolean takesMore(FsPath directory) {
    return followed.entrySet().stream()
        .noneMatch(
            place -> place.getKey() instanceof Closed && directory.isAtOrBelow(place.getValue()));
  }

  /**
   * A directory that is being removed, followed to its end.
   *
   * @param path where it was closed
   */
  private record Closed(FsPath path) {}

  /** Where the directory is that is followed; empty once it was removed. */
  public Optional<FsPath> followed(Object follower) {
    return Optional.ofNullable(followed.get(follower));
  }

  /** With something else that it has come to. */
  public Tree marked(String name, Object mark) {
    Map<String, Object> changed = new TreeMap<>(marks);
    changed.put(name, mark);
    return new Tree(nodes, changed, followed);
  }

  /**
   * With a note of what is at a path, which ends when that is moved, or another takes its place.
   */
  public Tree noted(FsPath path, String note) {
    return marked(NOTE + path.key(), note);
  }

  public boolean hasNote(FsPath path, String note) {
    return note.equals(marks.get(NOTE + path.key()));
  }

  private Map<String, Object> marksWithoutNotes(Predicate<FsPath> which) {
    Map<String, Object> left = new TreeMap<>(marks);
    left.keySet()
        .removeIf(
            name -> name.startsWith(NOTE) && which.test(new FsPath(name.substring(NOTE.length()))));
    return left;
  }

  /** With one transaction more that has changed what is at a path, or below it. */
  public Tree transacted(FsPath top) {
    String mark = TRANSACTIONS + top.key();
    return marked(mark, 1 + (int) marks.getOrDefault(mark, 0));
  }

  /** How many transactions may have changed what is at a path. */
  int transactions(FsPath path) {
    int transactions = 0;
    for (Map.Entry<String, Object> mark : marks.entrySet()) {
      if (mark.getKey().startsWith(TRANSACTIONS)
          && path.isAtOrBelow(new FsPath(mark.getKey().substring(TRANSACTIONS.length())))) {
        transactions += (int) mark.getValue();
      }
    }
    return transactions;
  }

  public Tree with(FsPath path, Node node) {
    Map<FsPath, Node> changed = new TreeMap<>(nodes);
    Node before = changed.put(path, node);
    boolean isSame = before != null && before.file().equals(node.file());
    return new Tree(
        changed, isSame ? marks : marksWithoutNotes(noted -> noted.equals(path)), followed);
  }

  /** With a directory, and those above it that are missing. */
  public Tree withDirectories(FsPath directory, int permission) {
    Map<FsPath, Node> changed = new TreeMap<>(nodes);
    for (FsPath path = directory; !path.isRoot(); path = path.parent()) {
      changed.putIfAbsent(path, Node.directory(permission));
    }
    return new Tree(changed, marks, followed);
  }

  /** Without a path and all below it. */
  public Tree without(FsPath top) {
    return without(path -> path.isAtOrBelow(top));
  }

  private Tree without(Predicate<FsPath> which) {
    Map<FsPath, Node> changed = new TreeMap<>(nodes);
    changed.keySet().removeIf(which);
    Map<Object, FsPath> left = new HashMap<>(followed);
    left.values().removeIf(which);
    return new Tree(changed, marksWithoutNotes(which), left);
  }

  /** With a path and all below it in another place. */
  Tree moved(FsPath from, FsPath to) {
    UnaryOperator<FsPath> place =
        path ->
            path.isAtOrBelow(from)
                ? new FsPath(to.key() + path.key().substring(from.key().length()))
                : path;
    Tree free = without(path -> path.isAtOrBelow(to));
    Map<FsPath, Node> changed = new TreeMap<>();
    free.nodes.forEach((path, node) -> changed.put(place.apply(path), node));
    Map<Object, FsPath> places = new HashMap<>(free.followed);
    places.replaceAll((follower, path) -> place.apply(path));
    return new Tree(changed, free.marksWithoutNotes(path -> path.isAtOrBelow(from)), places)
        .transacted(from)
        .transacted(to);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    nodes.forEach(
        (path, node) ->
            text.append(text.length() == 1 ? "" : ", ")
                .append(path)
                .append(node.isDirectory() ? "/" : "=" + node.file())
                .append(node.permission() == 0755 ? "" : " " + node.permission())
                .append(
                    node.layout()
                        .filter(layout -> !layout.isDefault())
                        .map(layout -> " " + layout)
                        .orElse("")));
    text.append('}');
    return (marks.isEmpty() ? text : text.append(' ').append(marks)).toString();
  }
}
