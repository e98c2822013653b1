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
 * @param afterWrites whether it keeps its place behind this client's earlier writes of the object,
 *     those without an answer among them ({@code LIBRADOS_OPERATION_ORDER_READS_WRITES}); without,
 *     it may overtake one that waits
 */
public record ReadOp(List<Step> steps, boolean afterWrites) {

  /** What one range step asks for at most: {@code osd_max_omap_entries_per_request}. */
  public static final int MAX_RANGE = 1024;

  public ReadOp {
    steps = List.copyOf(steps);
  }

  /** One step; its javadoc names the librados call. */
  public sealed interface Step {}

  /** Fails with GUARD_FAILED unless the xattr is exactly this ({@code rados_read_op_cmpxattr}). */
  public record CompareXattr(String name, byte[] expected) implements Step {}

  /**
   * Omap values of the keys that exist ({@code rados_read_op_omap_get_vals_by_keys2}); answered in
   * {@link ReadResult#omap(int)}.
   */
  public record OmapByKeys(Set<String> keys) implements Step {}

  /**
   * At most {@code max} omap entries whose keys begin with the prefix and come after {@code
   * startAfter} in the order of their bytes ({@code rados_read_op_omap_get_vals2}); answered in
   * {@link ReadResult#omap(int)} and {@link ReadResult#more(int)}. The OSD may return fewer than
   * asked, so only {@code more} tells the end. Their bytes are not bounded: see {@link BatchLimit}.
   */
  public record OmapRange(String startAfter, String prefix, int max) implements Step {}

  /**
   * Data from an offset into the buffer's room from position to limit ({@code rados_read_op_read});
   * answered in {@link ReadResult#bytes(int)}, fewer than asked at the object's end. The buffer's
   * position is not moved. A direct buffer saves a copy.
   */
  public record Data(long offset, ByteBuffer into) implements Step {}

  /** The object's size in bytes ({@code rados_read_op_stat}); in {@link ReadResult#bytes(int)}. */
  public record Size() implements Step {}

  /**
   * The value of an xattr ({@code rados_read_op_getxattrs}); answered in {@link
   * ReadResult#xattr(int)}, empty when the object has none.
   */
  public record Xattr(String name) implements Step {}

  public static Builder builder() {
    return new Builder();
  }

  /** Collects steps; the results are numbered by the order of the steps, from 0. */
  public static final class Builder {
    private final List<Step> steps = new ArrayList<>();
    private boolean afterWrites;

    /** Has it keep its place behind earlier writes, see {@link ReadOp#afterWrites()}. */
    public Builder afterWrites() {
      afterWrites = true;
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

    public Builder xattr(String name) {
      steps.add(new Xattr(name));
      return this;
    }

    public ReadOp build() {
      if (steps.isEmpty()) {
        throw new IllegalStateException("an operation without steps");
      }
      return new ReadOp(steps, afterWrites);
    }
  }
}
