package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a directory index, as stored under {@link IndexKeys#HEAD}. A change is guarded with
 * the exact head of an open index, which checks version, shard count and state in one comparison.
 *
 * @param shards how many objects the entries are spread over; 1 in this version
 * @param tag whose state it is (see {@link State}); empty when open
 */
public record IndexHead(State state, int shards, String tag) {

  /** What may be done with the index. */
  public enum State {
    /** The directory is there, and its index takes changes. */
    OPEN,
    /**
     * The index was made, by a transaction or a client that the tag names, but nobody has yet seen
     * that the directory is there.
     */
    OPENING,
    /**
     * A transaction, the tag, removes or moves the directory whole: no changes until it is decided.
     * Once it is committed the directory is gone.
     */
    FROZEN,
    /**
     * The directory whose uid is the tag is being removed. It reads as empty, takes no changes, and
     * whoever wants to change it finishes the removal first.
     */
    CLOSING
  }

  private static final Pattern STORED =
      Pattern.compile("radosfs-index 1 shards=(\\d{1,6}) (open|opening|frozen|closing)( [^ ]+)?");

  public static final IndexHead OPEN = new IndexHead(State.OPEN, 1, "");

  public static IndexHead opening(String maker) {
    return new IndexHead(State.OPENING, 1, maker);
  }

  public static IndexHead frozen(String transaction) {
    return new IndexHead(State.FROZEN, 1, transaction);
  }

  public static IndexHead closing(Uid directory) {
    return new IndexHead(State.CLOSING, 1, directory.value());
  }

  public boolean is(State other) {
    return state == other;
  }

  public byte[] encode() {
    String text = "radosfs-index 1 shards=" + shards + " " + state.name().toLowerCase(Locale.ROOT);
    return (tag.isEmpty() ? text : text + " " + tag).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a stored head.
   *
   * @param object the index object, for the error
   */
  public static IndexHead decode(String object, byte[] stored) throws LayoutException {
    String text = new String(stored, StandardCharsets.UTF_8);
    Matcher matcher = STORED.matcher(text);
    if (!matcher.matches()) {
      throw new LayoutException(
          "cannot read the head (omap key 'h') of the directory index object '"
              + object
              + "': '"
              + text
              + "'. It was written by a newer radosfs, or damaged; nothing was changed");
    }
    int shards = Integer.parseInt(matcher.group(1));
    if (shards != 1) {
      throw new LayoutException(
          "the directory index '"
              + object
              + "' has "
              + shards
              + " shards, which this version of radosfs cannot read; use a newer one");
    }
    State state = State.valueOf(matcher.group(2).toUpperCase(Locale.ROOT));
    return new IndexHead(
        state, shards, matcher.group(3) == null ? "" : matcher.group(3).substring(1));
  }
}
