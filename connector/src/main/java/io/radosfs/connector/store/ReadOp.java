// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A compound read of one object: all its steps see the object at the same instant.
 *
 * <p>Immutable; built with {@link #builder()}. An operation on a missing object fails with
 * NOT_FOUND.
 *
 * @param afterWrites whether the read keeps its place behind this client's earlier writes of the
 *     object, unanswered ones included ({@code LIBRADOS_OPERATION_ORDER_READS_WRITES}); otherwise
 *     it may overtake a write that waits
 * @param from which copy may answer. Any other than the primary's may be behind: it may not have an
 *     object yet, may still have one that was removed, or an earlier one of that name. So such a
 *     read takes nothing but the data of an object and the guard that tells whose data it is, and
 *     what its caller does not expect is to be read from the primary before it is believed. RADOS
 *     itself reads from the primary where the pool is erasure-coded, or the copy not known to be up
 *     to date
 */
public record ReadOp(List<Step> steps, boolean afterWrites, ReadFrom from) {

  /** The most entries that one range step asks for: {@code osd_max_omap_entries_per_request}. */
  public static final int MAX_RANGE = 1024;

  public ReadOp {
    steps = List.copyOf(steps);
    if (from != ReadFrom.PRIMARY && (afterWrites || !steps.stream().allMatch(ReadOp::isOfData))) {
      throw new IllegalArgumentException("only data is read from other copies: " + steps);
    }
  }

  private static boolean isOfData(Step step) {
    return step instanceof Data || step instanceof CompareXattr;
  }

  /** The same read, answered by the primary. */
  public ReadOp fromPrimary() {
    return new ReadOp(steps, afterWrites, ReadFrom.PRIMARY);
  }

  /** One step; its javadoc names the librados call. */
  public sealed interface Step {}

  /** Fails with GUARD_FAILED unless the xattr is exactly this ({@code rados_read_op_cmpxattr}). */
  public record CompareXattr(String name, byte[] expected) implements Step {}

  /**
   * Reads the omap values of those keys that exist ({@code rados_read_op_omap_get_vals_by_keys2});
   * see {@link ReadResult#omap(int)}.
   */
  public record OmapByKeys(Set<String> keys) implements Step {}

  /**
   * Reads at most {@code max} omap entries whose keys have the prefix and come after {@code
   * startAfter} in the order of their bytes ({@code rados_read_op_omap_get_vals2}); see {@link
   * ReadResult#omap(int)} and {@link ReadResult#more(int)}. The OSD may return fewer than {@code
   * max}, so only {@code more} tells the end. The bytes are not limited: see {@link BatchLimit}.
   */
  public record OmapRange(String startAfter, String prefix, int max) implements Step {}

  /**
   * Reads data from an offset into the buffer, from its position to its limit ({@code
   * rados_read_op_read}). {@link ReadResult#bytes(int)} is the count, which is smaller at the
   * object's end. The buffer's position does not move. A direct buffer saves a copy.
   */
  public record Data(long offset, ByteBuffer into) implements Step {}

  /** The object's size in bytes ({@code rados_read_op_stat}); in {@link ReadResult#bytes(int)}. */
  public record Size() implements Step {}

  /**
   * Has the OSD take the CRC-32C of all of the object's data ({@code rados_read_op_checksum}), so
   * that none of it is sent; in {@link ReadResult#crc32c(int)}. The value is that of {@link
   * java.util.zip.CRC32C}: the Castagnoli polynomial, begun with ones, inverted at the end.
   */
  public record Crc32c() implements Step {}

  /**
   * Reads an xattr ({@code rados_read_op_getxattrs}); {@link ReadResult#xattr(int)} is empty if the
   * object has none of that name.
   */
  public record Xattr(String name) implements Step {}

  public static Builder builder() {
    return new Builder();
  }

  /** Collects steps. Results are numbered in the order of the steps, from 0. */
  public static final class Builder {
    private final List<Step> steps = new ArrayList<>();
    private boolean afterWrites;
    private ReadFrom from = ReadFrom.PRIMARY;

    /** Keeps the read behind earlier writes, see {@link ReadOp#afterWrites()}. */
    public Builder afterWrites() {
      afterWrites = true;
      return this;
    }

    /** Which copy may answer, see {@link ReadOp#from()}; the primary's if this is not called. */
    public Builder from(ReadFrom copy) {
      from = copy;
      return this;
    }

    public Builder compareXattr(String name, byte[] expected) {
      steps.add(new CompareXattr(name, expected));
      return this;
    }

    public Builder omapByKeys(Collection<String> keys) {
      steps.add(new OmapByKeys(Set.copyOf(keys)));
      return this;
    }

    public Builder omapRange(String startAfter, String prefix, int max) {
      steps.add(new OmapRange(startAfter, prefix, max));
      return this;
    }

    public Builder data(long offset, ByteBuffer into) {
      steps.add(new Data(offset, into));
      return this;
    }

    public Builder size() {
      steps.add(new Size());
      return this;
    }

    public Builder crc32c() {
      steps.add(new Crc32c());
      return this;
    }

    public Builder xattr(String name) {
      steps.add(new Xattr(name));
      return this;
    }

    public ReadOp build() {
      if (steps.isEmpty()) {
        throw new IllegalStateException("an operation without steps");
      }
      return new ReadOp(steps, afterWrites, from);
    }
  }
}
