// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Compares the objects of one file with its entry: the one way in which {@code fsck} and a job's
 * validation do it. No RADOS operation. Not thread-safe.
 *
 * <p>The entry has the checksum of the whole file, and each object after the first has its own as
 * an xattr. So an object that differs from what was written is known by its name: if all others are
 * as recorded, it is the first one. Where an object has no such xattr, because an earlier build
 * wrote it, the file is known, and not which of its objects.
 */
public final class FileComparison {

  /** How an object differs. */
  public enum Kind {
    MISSING,
    LENGTH,
    FOREIGN,
    CONTENT
  }

  /**
   * A difference.
   *
   * @param object the name of the object
   * @param text what is so, to be read after that name
   */
  public record Difference(Kind kind, String object, String text) {}

  private final FileData data;
  private final int crc32c;
  private final Crc32cSum sum = new Crc32cSum();
  private int compared;
  private boolean complete = true;
  private boolean recorded = true;

  public FileComparison(Entry.OfFile file) {
    this.data = file.data();
    this.crc32c = file.crc32c();
  }

  /**
   * Compares one object. {@link #whole} wants each compared, in the order of the file.
   *
   * @param found what was found; empty if there is no such object
   */
  public Optional<Difference> stripe(int k, Optional<StoredStripe> found) throws IOException {
    Optional<Difference> difference = difference(k, found);
    complete &= k == compared && difference.isEmpty() && found.get().crc32c().isPresent();
    compared++;
    if (complete) {
      sum.add(found.get().crc32c().getAsInt(), found.get().length());
      recorded &= k == 0 || found.get().recorded().isPresent();
    }
    return difference;
  }

  private Optional<Difference> difference(int k, Optional<StoredStripe> found) {
    if (found.isEmpty()) {
      return Optional.of(new Difference(Kind.MISSING, data.stripe(k), "is not there"));
    }
    StoredStripe stored = found.get();
    long length = Math.min(data.objectSize(), data.length() - (long) k * data.objectSize());
    if (stored.length() != length) {
      return Optional.of(
          new Difference(
              Kind.LENGTH, data.stripe(k), "holds " + stored.length() + " bytes, not " + length));
    }
    if (k == 0 && !stored.uid().equals(Optional.of(data.written().value()))) {
      String uid = stored.uid().orElse("none");
      return Optional.of(
          new Difference(
              Kind.FOREIGN,
              data.stripe(k),
              "is of another file: its uid is " + uid + ", not " + data.written()));
    }
    String taken = stored.crc32c().isPresent() ? hex(stored.crc32c().getAsInt()) : "";
    if (k > 0 && !taken.isEmpty() && !stored.recorded().orElse(taken).equals(taken)) {
      return Optional.of(content(k, "CRC-32C " + taken + ", not " + stored.recorded().get()));
    }
    return Optional.empty();
  }

  /**
   * Compares the whole, once all objects were compared and found as they should be. Empty if they
   * were not, if one was left out as it could not be read, or if no checksums were taken.
   */
  public Optional<Difference> whole() {
    if (!complete || compared < data.stripes() || sum.crc32c() == crc32c) {
      return Optional.empty();
    }
    String sums = "the file's CRC-32C is " + hex(sum.crc32c()) + ", not " + hex(crc32c);
    return Optional.of(
        recorded
            ? content(0, sums)
            : new Difference(
                Kind.CONTENT,
                data.stripe(0),
                "or one of those after it, up to '"
                    + data.stripe(data.stripes() - 1)
                    + "', holds other data than was written: "
                    + sums));
  }

  private Difference content(int k, String sums) {
    long from = (long) k * data.objectSize();
    return new Difference(
        Kind.CONTENT,
        data.stripe(k),
        String.format(
            "holds other data than was written, in bytes %d to %d of the file: %s",
            from, Math.min(data.length(), from + data.objectSize()) - 1, sums));
  }

  /** A checksum as entries and xattrs have it. */
  static String hex(int crc32c) {
    return HexFormat.of().toHexDigits(crc32c);
  }
}
