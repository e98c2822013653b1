package io.radosfs.connector.layout;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How a transaction stands, stored under {@link IndexKeys#decision} in the index of its deciding
 * directory.
 *
 * @param owner what it belongs to: the record of a job, or a rename
 * @param elsewhere directories not below the deciding one that it concerns, as whoever removes the
 *     deciding one must resolve it there before; known from when it is COMMITTED
 */
public record Decision(State state, String owner, Set<FsPath> elsewhere) {

  /** COMMITTED and ABORTED are final. */
  public enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  private static final String VERSION = "decision 1 ";

  /** Paths hold no double slash, which so can part them. */
  private static final String SEPARATOR = "//";

  public Decision {
    elsewhere = Set.copyOf(elsewhere);
  }

  public Decision(State state, String owner) {
    this(state, owner, Set.of());
  }

  public byte[] encode() {
    String paths =
        new TreeSet<>(elsewhere).stream().map(FsPath::key).collect(Collectors.joining(SEPARATOR));
    return StoredText.bytes(
        VERSION
            + "state="
            + state
            + " owner="
            + StoredText.escape(owner)
            + (elsewhere.isEmpty() ? "" : " elsewhere=" + StoredText.escape(paths)));
  }

  public Decision as(State other) {
    return new Decision(other, owner, elsewhere);
  }

  public Decision concerning(Set<FsPath> directories) {
    return new Decision(state, owner, directories);
  }

  public boolean is(State other) {
    return state == other;
  }

  /** Reads a stored decision; object and id are for the error. */
  public static Decision decode(String object, String id, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        StoredFields fields = new StoredFields(text, VERSION.length());
        return new Decision(
            State.valueOf(fields.required("state")),
            fields.requiredText("owner"),
            elsewhere(fields));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, IndexKeys.decision(id), stored, e);
    }
    throw StoredText.garbage(object, IndexKeys.decision(id), stored, null);
  }

  private static Set<FsPath> elsewhere(StoredFields fields) {
    Set<FsPath> paths = new TreeSet<>();
    Optional<String> stored = fields.text("elsewhere");
    if (stored.isPresent()) {
      for (String path : stored.get().split(SEPARATOR, -1)) {
        paths.add(FsPath.ofKey(path));
      }
    }
    return paths;
  }
}
