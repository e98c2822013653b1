// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A compound write on one object: guards and changes that take effect together or not at all.
 *
 * <p>Immutable; built with {@link #builder()}. Steps run in the order in which they were added.
 */
public record WriteOp(List<Step> steps) {

  public WriteOp {
    steps = List.copyOf(steps);
  }

  /** One step; its javadoc names the librados call. */
  public sealed interface Step {}

  /** Fails with NOT_FOUND if the object is missing ({@code rados_write_op_assert_exists}). */
  public record AssertExists() implements Step {}

  /** Creates the object; fails with EXISTS if it exists ({@code rados_write_op_create}). */
  public record CreateExclusive() implements Step {}

  /** Creates the object if it is missing ({@code rados_write_op_create}, idempotent). */
  public record CreateIfMissing() implements Step {}

  /**
   * Fails with GUARD_FAILED unless the omap value of the key is exactly this ({@code
   * rados_write_op_omap_cmp2} EQ). An empty value means that the key must be absent: none is ever
   * stored.
   */
  public record CompareOmap(String key, byte[] expected) implements Step {}

  /**
   * Fails with GUARD_FAILED unless the xattr is exactly this ({@code rados_write_op_cmpxattr} EQ).
   * An empty value means that there must be no such xattr: none is ever stored. On a missing object
   * it fails with NOT_FOUND or GUARD_FAILED.
   */
  public record CompareXattr(String name, byte[] expected) implements Step {}

  /** Sets omap entries ({@code rados_write_op_omap_set2}). */
  public record SetOmap(SortedMap<String, byte[]> entries) implements Step {}

  /** Removes omap keys; ignores missing ones ({@code rados_write_op_omap_rm_keys2}). */
  public record RemoveOmapKeys(List<String> keys) implements Step {}

  /** Sets an xattr ({@code rados_write_op_setxattr}). */
  public record SetXattr(String name, byte[] value) implements Step {}

  /**
   * Replaces the object's data by the bytes between the buffer's position and limit, which do not
   * move ({@code rados_write_op_write_full}). A direct buffer saves a copy.
   *
   * <p>Best placed before steps that carry other bytes (an xattr's): the bytes of all steps travel
   * one after another, and an OSD has to copy data that does not begin at a page.
   */
  public record WriteFull(ByteBuffer data) implements Step {

    private WriteFull withOwnData() {
      return new WriteFull(ByteBuffer.allocate(data.remaining()).put(data.duplicate()).flip());
    }
  }

  /**
   * Tells the OSD that the object is written once, whole, and mostly read in sequence. BlueStore
   * then keeps one checksum for each {@value #CHECKSUM_BYTES} bytes instead of each 4 KiB, which
   * saves metadata and time. It changes no result ({@code rados_write_op_set_alloc_hint2}).
   *
   * @param size the object's expected size in bytes
   */
  public record HintWrittenOnce(long size) implements Step {
    /** How many bytes the OSD has to check at least, even for a smaller read. */
    public static final int CHECKSUM_BYTES = 64 << 10;
  }

  /**
   * Lets the operation create or grow an object even if the pool is full or has reached its quota,
   * so that the little can be written that is needed to remove more ({@code
   * LIBRADOS_OPERATION_FULL_FORCE}; {@code allow rw} suffices for it). Without it such an operation
   * fails with NO_SPACE. Other changes go through without it: removals, xattrs, and changes of the
   * omap of an existing object, even additions (measured).
   */
  public record EvenIfFull() implements Step {}

  /** Removes the object; fails with NOT_FOUND if it is missing ({@code rados_write_op_remove}). */
  public record Remove() implements Step {}

  /** Whether one of the steps is {@link EvenIfFull}. */
  public boolean isEvenIfFull() {
    return steps.stream().anyMatch(EvenIfFull.class::isInstance);
  }

  /** The same operation with a copy of the present content of its buffers. */
  public WriteOp withOwnData() {
    List<Step> own = new ArrayList<>();
    for (Step step : steps) {
      own.add(step instanceof WriteFull full ? full.withOwnData() : step);
    }
    return new WriteOp(own);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects steps in order. Not thread-safe. */
  public static final class Builder {
    private static final byte[] ABSENT = new byte[0];
    private final List<Step> steps = new ArrayList<>();

    public Builder assertExists() {
      steps.add(new AssertExists());
      return this;
    }

    public Builder createExclusive() {
      steps.add(new CreateExclusive());
      return this;
    }

    public Builder createIfMissing() {
      steps.add(new CreateIfMissing());
      return this;
    }

    /** Guards that the key has exactly this value, which must not be empty. */
    public Builder compareOmap(String key, byte[] expected) {
      if (expected.length == 0) {
        throw new IllegalArgumentException("an empty value means absence: use absentOmap");
      }
      steps.add(new CompareOmap(key, expected));
      return this;
    }

    /** Guards that the key is absent. */
    public Builder absentOmap(String key) {
      steps.add(new CompareOmap(key, ABSENT));
      return this;
    }

    /** Guards that the object has no xattr of this name. */
    public Builder absentXattr(String name) {
      return compareXattr(name, ABSENT);
    }

    public Builder compareXattr(String name, byte[] expected) {
      steps.add(new CompareXattr(name, expected));
      return this;
    }

    public Builder setOmap(String key, byte[] value) {
      return setOmap(Map.of(key, value));
    }

    /** Sets entries; adds no step if there are none. */
    public Builder setOmap(Map<String, byte[]> entries) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        if (entry.getValue().length == 0) {
          throw new IllegalArgumentException("empty omap value for key " + entry.getKey());
        }
      }
      if (!entries.isEmpty()) {
        steps.add(new SetOmap(new TreeMap<>(entries)));
      }
      return this;
    }

    public Builder removeOmap(String key) {
      return removeOmap(List.of(key));
    }

    /** Removes keys; adds no step if there are none. */
    public Builder removeOmap(Collection<String> keys) {
      if (!keys.isEmpty()) {
        steps.add(new RemoveOmapKeys(List.copyOf(keys)));
      }
      return this;
    }

    public Builder setXattr(String name, byte[] value) {
      steps.add(new SetXattr(name, value));
      return this;
    }

    public Builder writeFull(ByteBuffer data) {
      steps.add(new WriteFull(data));
      return this;
    }

    public Builder hintWrittenOnce(long size) {
      steps.add(new HintWrittenOnce(size));
      return this;
    }

    public Builder evenIfFull() {
      steps.add(new EvenIfFull());
      return this;
    }

    public Builder remove() {
      steps.add(new Remove());
      return this;
    }

    public WriteOp build() {
      if (steps.isEmpty()) {
        throw new IllegalStateException("an operation without steps");
      }
      return new WriteOp(steps);
    }
  }
}
