package io.radosfs.connector.layout;

import java.util.Map;

/**
 * How a transaction stands, stored under {@link IndexKeys#decision} in the index of its deciding
 * directory.
 *
 * @param owner what it belongs to: the record of a job, or a rename
 */
public record Decision(State state, String owner) {

  /** COMMITTED and ABORTED are final. */
  public enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  private static final String VERSION = "decision 1 ";

  public byte[] encode() {
    return StoredText.bytes(VERSION + "state=" + state + " owner=" + StoredText.escape(owner));
  }

  public Decision as(State other) {
    return new Decision(other, owner);
  }

  public boolean is(State other) {
    return state == other;
  }

  /** Reads a stored decision; object and id are for the error. */
  public static Decision decode(String object, String id, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        Map<String, String> fields = StoredText.fields(text, VERSION.length());
        return new Decision(
            State.valueOf(StoredText.required(fields, "state")),
            StoredText.unescape(StoredText.required(fields, "owner")));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, IndexKeys.decision(id), stored, e);
    }
    throw StoredText.garbage(object, IndexKeys.decision(id), stored, null);
  }
}
