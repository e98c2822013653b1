// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of one object of a directory index, as stored under {@link IndexKeys#HEAD}. A change is
 * guarded with the exact head of an open index, which checks version, shards and state in one
 * comparison.
 *
 * @param shards of the directory, in its head object: what the names are spread over, or being
 *     spread over ({@link State#SPLITTING}); {@link Shards#NONE} in a shard itself
 * @param tag whose state it is (see {@link State}); empty when open
 */
public record IndexHead(State state, Shards shards, String tag) {

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
     * Locked: a transaction, the tag, removes or moves the directory whole. No changes until it is
     * decided. Once it is committed the directory is gone.
     */
    FROZEN,
    /**
     * The directory whose uid is the tag is being removed. It reads as empty, takes no changes, and
     * whoever wants to change it finishes the removal first.
     */
    CLOSING,
    /**
     * Of a head object: its entries are being copied to the shards. It is read as if nothing were,
     * takes no changes, and whoever wants to change it finishes the copying first.
     */
    SPLITTING,
    /**
     * Of a shard: it is being filled, or was left over by a client that came too late, and nobody
     * reads it. The tag is new in each shard that is made, so that only whoever has looked for it
     * since fills it.
     */
    FILLING
  }

  private static final Pattern STORED =
      Pattern.compile(
          "radosfs-index 1 shards=(\\d{1,6})(/[0-9a-f]{24})?"
              + " (open|opening|frozen|closing|splitting|filling)( [^ ]+)?");

  /** The head of an open index that holds all names itself, and of an open shard. */
  public static final IndexHead OPEN = new IndexHead(State.OPEN, Shards.NONE, "");

  private static final byte[] OPEN_STORED = OPEN.encode();

  public static IndexHead opening(String maker) {
    return new IndexHead(State.OPENING, Shards.NONE, maker);
  }

  public static IndexHead frozen(String transaction) {
    return OPEN.frozenBy(transaction);
  }

  public static IndexHead closing(Uid directory) {
    return OPEN.closingAs(directory);
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

  public boolean isFrozenBy(String transaction) {
    return is(State.FROZEN) && tag.equals(transaction);
  }

  /** Whether the names are in the shards, and what this object holds of them counts no more. */
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

  /** Each state has the tag that who meets it needs. */
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

  /** What follows the first character, which parts it from what is before. */
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
