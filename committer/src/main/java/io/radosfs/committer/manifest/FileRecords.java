// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The records of a {@link FileTable}, one after another in blocks of bytes. A record is: number of
 * the directory, number of the writer, stored size, name, uid, length, time, CRC-32C, number of the
 * shared values, and the origin if it is not the path. Lengths and numbers are stored in groups of
 * seven bits.
 */
final class FileRecords {

  private static final int BLOCK_BITS = 20;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int UID_BYTES = 12;

  /** Maximum bytes of a record without its name and origin. */
  private static final int FIXED = 72;

  private final List<byte[]> blocks = new ArrayList<>();
  private ByteBuffer block = ByteBuffer.allocate(0);
  private final Numbered<Shared> shared = new Numbered<>();

  /**
   * Values that many files have in common.
   *
   * @param attributes with time 0
   */
  private record Shared(
      Attributes attributes, int objectSize, Optional<String> pool, boolean plainFirst) {}

  /** Values by number, each once. */
  private static final class Numbered<T> {
    private final List<T> values = new ArrayList<>();
    private final Map<T, Integer> numbers = new HashMap<>();
    private int last = -1;

    int of(T value) {
      // Usually the value of the file before.
      if (last < 0 || !values.get(last).equals(value)) {
        last = number(value);
      }
      return last;
    }

    private int number(T value) {
      return numbers.computeIfAbsent(
          value,
          added -> {
            values.add(added);
            return values.size() - 1;
          });
    }

    T at(int number) {
      return values.get(number);
    }
  }

  /** Adds a record; returns its place. */
  long append(int directory, int writer, FsPath path, Entry.OfFile file, int stored) {
    FileData data = file.data();
    byte[] name = path.name().getBytes(StandardCharsets.UTF_8);
    byte[] origin =
        data.origin().equals(path)
            ? new byte[0]
            : data.origin().key().getBytes(StandardCharsets.UTF_8);
    int needed = FIXED + name.length + origin.length;
    if (block.remaining() < needed) {
      blocks.add(new byte[Math.max(BLOCK, needed)]);
      block = ByteBuffer.wrap(blocks.get(blocks.size() - 1));
    }
    long place = ((long) (blocks.size() - 1) << BLOCK_BITS) | block.position();
    put(directory);
    put(writer);
    put(stored);
    putBytes(name);
    block.put(HexFormat.of().parseHex(data.uid().value()));
    put(data.length());
    put(file.attributes().modified());
    block.putInt(file.crc32c());
    put(
        shared.of(
            new Shared(
                file.attributes().withModified(0),
                data.objectSize(),
                data.pool(),
                data.plainFirst())));
    putBytes(origin);
    return place;
  }

  private void putBytes(byte[] bytes) {
    put(bytes.length);
    block.put(bytes);
  }

  private void put(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      block.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    block.put((byte) rest);
  }

  private static long take(ByteBuffer from) {
    long value = 0;
    int shift = 0;
    while (true) {
      byte group = from.get();
      value |= (group & 0x7fL) << shift;
      if (group >= 0) {
        return value;
      }
      shift += 7;
    }
  }

  private static String takeText(ByteBuffer from) {
    byte[] bytes = new byte[(int) take(from)];
    from.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private ByteBuffer at(long place) {
    byte[] bytes = blocks.get((int) (place >>> BLOCK_BITS));
    int from = (int) (place & (BLOCK - 1));
    return ByteBuffer.wrap(bytes, from, bytes.length - from);
  }

  int directory(long place) {
    return (int) take(at(place));
  }

  int writer(long place) {
    ByteBuffer from = at(place);
    take(from);
    return (int) take(from);
  }

  int storedBytes(long place) {
    ByteBuffer from = at(place);
    take(from);
    take(from);
    return (int) take(from);
  }

  String name(long place) {
    ByteBuffer from = at(place);
    take(from);
    take(from);
    take(from);
    return takeText(from);
  }

  /** Decodes the file, which is at this path. */
  Entry.OfFile file(long place, FsPath path) {
    ByteBuffer from = at(place);
    take(from);
    take(from);
    take(from);
    int name = (int) take(from);
    from.position(from.position() + name);
    byte[] uid = new byte[UID_BYTES];
    from.get(uid);
    long length = take(from);
    long modified = take(from);
    int crc32c = from.getInt();
    Shared common = shared.at((int) take(from));
    String origin = takeText(from);
    FileData data =
        new FileData(
            origin.isEmpty() ? path : new FsPath(origin),
            new Uid(HexFormat.of().formatHex(uid)),
            common.plainFirst(),
            length,
            common.objectSize(),
            common.pool());
    return new Entry.OfFile(data, crc32c, common.attributes().withModified(modified));
  }
}
