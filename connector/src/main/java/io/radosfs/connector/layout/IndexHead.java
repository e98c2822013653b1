// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of one object of a directory index, as stored under {@link IndexKeys#HEAD}. A change is
 * guarded with the exact head of an open index: one comparison checks version, shards and state.
 *
 * @param shards in a directory's head object, the shards over which the names are spread, or are
 *     being spread ({@link State#SPLITTING}); {@link Shards#NONE} in a shard
 * @param tag the owner of the state (see {@link State}); empty if open or splitting
 */
public record IndexHead(State state, Shards shards, String tag) {

  /** What may be done with the index. */
  public enum State {
    /** The directory exists, and its index takes changes. */
    OPEN,
    /**
     * The index was made, by a transaction or a client that the tag names, but no client has seen
     * since that the directory exists.
     */
    OPENING,
    /**
     * Locked by a transaction, the tag, that removes or moves the directory whole. No changes until
     * it is decided. Once it is committed, the directory is gone.
     */
    FROZEN,
    /**
     * The directory whose uid is the tag is being removed. It reads as empty and takes no changes.
     * A client that wants to change it finishes the removal first.
     */
    CLOSING,
    /**
     * A head object whose entries are being copied to the shards. It reads as before, and takes no
     * changes. A client that wants to change it finishes the copying first.
     */
    SPLITTING,
    /**
     * A shard that is being filled, or that a late client has left over. Nobody reads it. Each
     * shard made has a new tag, so that only a client that has looked for it since fills it.
     */
    FILLING
  }

  private static final Pattern STORED =
      Pattern.compile(
          "radosfs-index 1 shards=(\\d{1,6})(/[0-9a-f]{24})?"
              + " (open|opening|frozen|closing|splitting|filling)( [^ ]+)?");

  /** The head of an open shard, or of an open index that holds all names itself. */
  public static final IndexHead OPEN = new IndexHead(State.OPEN, Shards.NONE, "");

  private static final byte[] OPEN_STORED = OPEN.encode();

  public static IndexHead opening(String maker) {
    return new IndexHead(State.OPENING, Shards.NONE, maker);
  }

  public static IndexHead frozen(String transaction) {
    return OPEN.frozenBy(transaction);
  }

  public static IndexHead filling(Uid filler) {
    return new IndexHead(State.FILLING, Shards.NONE, filler.value());
  }

  public IndexHead opened() {
    return new IndexHead(State.OPEN, shards, "");
  }

  public IndexHead frozenBy(String transaction) {
    return new IndexHead(State.FROZEN, shards, transaction);
  }

  public IndexHead closingAs(Uid directory) {
    return new IndexHead(State.CLOSING, shards, directory.value());
  }

  public IndexHead splittingInto(Shards wanted) {
    return new IndexHead(State.SPLITTING, wanted, "");
  }

  public boolean is(State other) {
    return state == other;
  }

  /** Whether others are about to split, remove or move the directory, which are to be ended. */
  public boolean isBusy() {
    return is(State.SPLITTING) || is(State.FROZEN);
  }

  public boolean isFrozenBy(String transaction) {
    return is(State.FROZEN) && tag.equals(transaction);
  }

  /** Whether the names are in the shards, so that those in this object do not count any more. */
  public boolean isSharded() {
    return shards.exist() && !is(State.SPLITTING);
  }

  public byte[] encode() {
    String text =
        "radosfs-index 1 shards="
            + shards.count()
            + (shards.exist() ? "/" + shards.generation() : "")
            + " "
            + state.name().toLowerCase(Locale.ROOT);
    return (tag.isEmpty() ? text : text + " " + tag).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a stored head.
   *
   * @param object the index object, for the error
   */
  public static IndexHead decode(String object, byte[] stored) throws LayoutException {
    if (Arrays.equals(stored, OPEN_STORED)) {
      return OPEN; // nearly every head there is
    }
    String text = new String(stored, StandardCharsets.UTF_8);
    Matcher matcher = STORED.matcher(text);
    try {
      if (matcher.matches()) {
        return new IndexHead(
                State.valueOf(matcher.group(3).toUpperCase(Locale.ROOT)),
                new Shards(Integer.parseInt(matcher.group(1)), rest(matcher.group(2))),
                rest(matcher.group(4)))
            .checked();
      }
    } catch (IllegalArgumentException e) {
      throw garbage(object, text, e);
    }
    throw garbage(object, text, null);
  }

  /** Checks that the head has what a client needs in its state. */
  private IndexHead checked() {
    boolean fits =
        switch (state) {
          case OPEN -> true;
          case OPENING, FROZEN -> !tag.isEmpty();
          case CLOSING, FILLING -> new Uid(tag).value().equals(tag);
          case SPLITTING -> shards.exist();
        };
    if (!fits) {
      throw new IllegalArgumentException(state + " with tag '" + tag + "' and " + shards);
    }
    return this;
  }

  /** Returns a group without its first character, which is a separator. */
  private static String rest(String group) {
    return group == null ? "" : group.substring(1);
  }

  private static LayoutException garbage(String object, String text, Throwable cause) {
    return new LayoutException(
        "cannot read the head (omap key 'h') of the directory index object '"
            + object
            + "': '"
            + StoredText.shown(text)
            + "'. It was written by a newer radosfs, or damaged; nothing was changed",
        cause);
  }
}
