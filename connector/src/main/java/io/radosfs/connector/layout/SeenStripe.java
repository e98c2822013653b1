// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * That a file that was given up had this stripe. A clean-up finds the end of such a file by looking
 * for its stripes from the first one on. Once it has removed them, a stripe that arrives later can
 * only be found if it is known how far the file reached. So that is noted before the stripes go, in
 * what leads to the file: a ledger, or a job's record. A note is never changed, and goes with the
 * object that it is in.
 *
 * <p>Stored as a key: {@code n/<uid>/<stripe, in eight hexadecimal digits>}.
 *
 * @param file its uid
 */
public record SeenStripe(Uid file, int stripe) {

  /** Of the omap keys. */
  public static final String PREFIX = "n/";

  public SeenStripe {
    if (stripe <= 0 || stripe >= FileData.MAX_STRIPES) {
      throw new IllegalArgumentException("stripe " + stripe);
    }
  }

  public String key() {
    return PREFIX + file + "/" + String.format("%08x", stripe);
  }

  /** Decodes a key; the object is for the error message. */
  public static SeenStripe ofKey(String object, String key) throws LayoutException {
    try {
      String[] words = key.substring(PREFIX.length()).split("/", 2);
      SeenStripe seen = new SeenStripe(new Uid(words[0]), Integer.parseInt(words[1], 16));
      if (seen.key().equals(key)) {
        return seen;
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // reported below
    }
    throw new LayoutException(
        "cannot read key '"
            + StoredText.shown(key)
            + "' of RADOS object '"
            + object
            + "': it was written by a newer radosfs, or is damaged; nothing was changed");
  }
}
