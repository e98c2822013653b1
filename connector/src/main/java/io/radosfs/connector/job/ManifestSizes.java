// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How large the manifests in a job's record may be, so that a reader of pages knows how many it may
 * ask for before it has seen one. No answer holds more than {@value #MOST} bytes of manifests,
 * which is what a single one may have.
 *
 * <p>A new record says, in an xattr, that its manifests are small. The operation that commits a
 * larger one changes that, and sets a key for what the manifest may have at most. A read of many
 * manifests is guarded with the xattr: it costs nothing where all are small, and is refused where
 * they are not.
 */
public final class ManifestSizes {

  /** Maximum bytes of a manifest. An OSD refuses an operation beyond 90 MB. */
  static final long MOST = 64 << 20;

  /** Maximum bytes of a small manifest. */
  static final long SMALL = MOST / JobRecord.PAGE;

  /** The xattr that says whether all manifests are small. */
  public static final String XATTR = "radosfs.manifests";

  private static final byte[] ALL_SMALL = bytes("small");
  private static final byte[] SOME_LARGE = bytes("large");
  private static final byte[] MARK = bytes("1");

  /** What large manifests have at most, from the smallest kind of them to the largest. */
  private static final List<Long> KINDS = List.of(MOST / 256, MOST / 64, MOST / 16, MOST / 4, MOST);

  private ManifestSizes() {}

  /** Has an operation that makes a record say that all manifests are small. */
  static WriteOp.Builder allSmall(WriteOp.Builder op) {
    return op.setXattr(XATTR, ALL_SMALL);
  }

  /** Has the operation that commits a manifest say so if it is large. */
  static WriteOp.Builder add(WriteOp.Builder op, long bytes) {
    if (bytes <= SMALL) {
      return op;
    }
    long most = KINDS.stream().filter(kind -> bytes <= kind).findFirst().orElse(MOST);
    return op.setXattr(XATTR, SOME_LARGE).setOmap(key(most), MARK);
  }

  /**
   * Guards a read: it is refused unless all manifests are known to be small. They are not in a
   * record that an earlier version has made.
   */
  static ReadOp.Builder ifAllSmall(ReadOp.Builder op) {
    return op.compareXattr(XATTR, ALL_SMALL);
  }

  /** The keys that {@link #linesAtOnce} needs. */
  public static Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    KINDS.forEach(kind -> keys.add(key(kind)));
    return keys;
  }

  /**
   * Returns how many lines of a record fit one answer: of manifests one, if the record is of an
   * earlier version, as nothing is known of them then.
   *
   * @param said the {@link #XATTR}, if the record has it
   * @param found those of the {@link #keys} that the record has
   * @param after the key that the lines come after; empty for the first ones
   */
  public static int linesAtOnce(Optional<byte[]> said, Map<String, byte[]> found, String after) {
    if (after.compareTo(RecordKeys.AFTER_MANIFESTS) < 0) {
      return said.isEmpty() ? 1 : Math.min(atOnce(found), JobRecord.PAGE);
    }
    return after.compareTo(RecordKeys.AFTER_PLAN) < 0 ? JobRecord.PLAN_PAGE : JobRecord.PAGE;
  }

  /**
   * Returns how many manifests fit one answer when {@link #ifAllSmall} has refused a read. If no
   * key says why, the record is of an earlier version, and nothing is known.
   */
  static int atOnceIfRefused(Map<String, byte[]> found) {
    int fitting = atOnce(found);
    return fitting == JobRecord.PAGE ? 1 : fitting;
  }

  private static int atOnce(Map<String, byte[]> found) {
    long largest =
        KINDS.stream().filter(kind -> found.containsKey(key(kind))).reduce(SMALL, Math::max);
    return (int) (MOST / largest);
  }

  private static String key(long most) {
    return RecordKeys.LARGE_PREFIX + most;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
