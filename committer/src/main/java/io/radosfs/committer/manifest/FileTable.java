// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A compact table of files by directory: some 50 bytes for each file plus its name, instead of a
 * kilobyte for the usual objects. Values that files have in common, such as owner and object size,
 * are stored once. Immutable, and so thread-safe.
 *
 * <p>The files of a directory are in the order of a hash of their names, which is the same in every
 * table. So the files of one shard of the directory's index come together ({@link Shards#order}).
 */
public final class FileTable {

  /** The low bits of an element of {@link #order}, below the hash: where its record begins. */
  private static final int PLACE_BITS = 40;

  private static final long PLACE = (1L << PLACE_BITS) - 1;

  private final FileRecords records;
  private final SortedMap<FsPath, Integer> directories;

  /** Hash and place of the record of each file; by directory, then by hash. */
  private final long[] order;

  /** Where each directory begins in {@link #order}, by its number; one more element at the end. */
  private final int[] begins;

  private final long bytes;

  /** An upper bound of the bytes that an operation carries for all files of each directory. */
  private final long[] stored;

  private FileTable(
      FileRecords records,
      SortedMap<FsPath, Integer> directories,
      long[] order,
      int[] begins,
      long bytes,
      long[] stored) {
    this.records = records;
    this.directories = Collections.unmodifiableSortedMap(directories);
    this.order = order;
    this.begins = begins;
    this.bytes = bytes;
    this.stored = stored;
  }

  /** Collects files. Not thread-safe. */
  public static final class Builder {

    private final FileRecords records = new FileRecords();
    private final Map<FsPath, Integer> directories = new HashMap<>();
    private int[] sizes = new int[16];
    private long[] keys = new long[1024];
    private int files;
    private long bytes;
    private long[] stored = new long[16];

    /**
     * Adds a file.
     *
     * @param writer any number; {@link #twice} returns the writers of two files of one path
     */
    public Builder add(FsPath path, Entry.OfFile file, int writer) {
      return add(path, file, writer, EntryCodec.mostBytes(path.name(), file));
    }

    /**
     * Adds a file to be removed. Its extended attributes, which may be large, are not kept: its uid
     * identifies it.
     */
    public Builder addRemoved(FsPath path, Entry.OfFile file) {
      Entry.OfFile told = file.withAttributes(file.attributes().withoutXattrs());
      return add(path, told, 0, EntryCodec.mostBytes(path.name(), file));
    }

    private Builder add(FsPath path, Entry.OfFile file, int writer, long most) {
      Integer known = directories.get(path.parent());
      int directory = known == null ? directories.size() : known;
      if (known == null) {
        directories.put(path.parent(), directory);
        if (directory == sizes.length) {
          sizes = Arrays.copyOf(sizes, 2 * directory);
          stored = Arrays.copyOf(stored, 2 * directory);
        }
      }
      sizes[directory]++;
      if (files == keys.length) {
        keys = Arrays.copyOf(keys, Math.addExact(files, files >> 1));
      }
      stored[directory] += most;
      long place = records.append(directory, writer, path, file, Math.toIntExact(most));
      keys[files++] = (hash(path.name()) << PLACE_BITS) | place;
      bytes += file.data().length();
      return this;
    }

    public FileTable build() {
      int[] begins = new int[directories.size() + 1];
      for (int i = 0; i < directories.size(); i++) {
        begins[i + 1] = begins[i] + sizes[i];
      }
      int[] next = begins.clone();
      long[] order = new long[files];
      for (int i = 0; i < files; i++) {
        order[next[records.directory(keys[i] & PLACE)]++] = keys[i];
      }
      keys = null;
      for (int i = 0; i < directories.size(); i++) {
        Arrays.sort(order, begins[i], begins[i + 1]);
      }
      return new FileTable(records, new TreeMap<>(directories), order, begins, bytes, stored);
    }
  }

  /**
   * A hash of a name, with as many bits as fit beside a place; never negative. In the order of
   * hashes, the names of one shard of a directory come together.
   */
  public static long hash(String name) {
    return Shards.order(name) >>> (PLACE_BITS - Integer.SIZE + 1);
  }

  private static FsPath below(FsPath directory, String name) {
    return new FsPath(directory.isRoot() ? name : directory.key() + "/" + name);
  }

  /** All directories that hold files, in order. */
  public Set<FsPath> directories() {
    return directories.keySet();
  }

  /** How many files there are. */
  public int files() {
    return order.length;
  }

  /** How many files there are in a directory. */
  public int size(FsPath directory) {
    Integer number = directories.get(directory);
    return number == null ? 0 : begins[number + 1] - begins[number];
  }

  /** How many bytes all files have. */
  public long bytes() {
    return bytes;
  }

  /**
   * An upper bound of the bytes that an operation carries for all files of a directory, by {@link
   * EntryCodec#mostBytes}.
   */
  public long storedBytes(FsPath directory) {
    Integer number = directories.get(directory);
    return number == null ? 0 : stored[number];
  }

  /** The files of a directory. */
  public Cursor cursor(FsPath directory) {
    Integer number = directories.get(directory);
    return number == null
        ? new Cursor(directory, 0, 0)
        : new Cursor(directory, begins[number], begins[number + 1]);
  }

  /** Iterates over the files of a directory; begins before the first one. */
  public final class Cursor {
    private final FsPath directory;
    private final int end;
    private int at;

    private Cursor(FsPath directory, int begin, int end) {
      this.directory = directory;
      this.at = begin - 1;
      this.end = end;
    }

    /** Goes on to the next file; false if there is none. */
    public boolean next() {
      at++;
      return at < end;
    }

    /** The hash of the file's name. */
    public long hash() {
      return order[at] >>> PLACE_BITS;
    }

    public String name() {
      return records.name(place());
    }

    public FsPath path() {
      return below(directory, name());
    }

    public int writer() {
      return records.writer(place());
    }

    /** The same as {@link FileTable#storedBytes}, for this file. */
    public long storedBytes() {
      return records.storedBytes(place());
    }

    public Entry.OfFile file() {
      return records.file(place(), path());
    }

    private long place() {
      return order[at] & PLACE;
    }
  }

  /** A file at a path. */
  public Optional<Entry.OfFile> find(FsPath path) {
    return cursorAt(path).map(Cursor::file);
  }

  /** The writer of the file at a path. */
  public Optional<Integer> writer(FsPath path) {
    return cursorAt(path).map(Cursor::writer);
  }

  private Optional<Cursor> cursorAt(FsPath path) {
    if (path.isRoot()) {
      return Optional.empty();
    }
    Integer number = directories.get(path.parent());
    if (number == null) {
      return Optional.empty();
    }
    long hash = hash(path.name());
    int found = Arrays.binarySearch(order, begins[number], begins[number + 1], hash << PLACE_BITS);
    int from = found < 0 ? -found - 1 : found;
    Cursor cursor = new Cursor(path.parent(), from, begins[number + 1]);
    while (cursor.next() && cursor.hash() == hash) {
      if (cursor.name().equals(path.name())) {
        return Optional.of(cursor);
      }
    }
    return Optional.empty();
  }

  /** Whether the same files, by their uids, are at the same paths. */
  public boolean hasSameFiles(FileTable other) {
    if (this == other) {
      return true;
    }
    if (files() != other.files() || !directories().equals(other.directories())) {
      return false;
    }
    for (FsPath directory : directories.keySet()) {
      for (Cursor cursor = cursor(directory); cursor.next(); ) {
        Optional<Entry.OfFile> there = other.find(cursor.path());
        if (there.filter(file -> file.uid().equals(cursor.file().uid())).isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Two files of one path, by their writers. */
  public record Twice(FsPath path, int writer, int other) {}

  /** Returns a path that was added twice; empty if there is none. */
  public Optional<Twice> twice() {
    for (FsPath directory : directories.keySet()) {
      Map<String, Integer> sameHash = new HashMap<>();
      long hash = -1;
      for (Cursor cursor = cursor(directory); cursor.next(); ) {
        if (cursor.hash() != hash) {
          hash = cursor.hash();
          sameHash.clear();
        }
        Integer other = sameHash.put(cursor.name(), cursor.writer());
        if (other != null) {
          return Optional.of(new Twice(cursor.path(), other, cursor.writer()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the first paths, by directory and name, at most {@code max}. */
  public List<FsPath> firstPaths(int max) {
    List<FsPath> first = new ArrayList<>();
    for (FsPath directory : directories.keySet()) {
      int room = max - first.size();
      if (room == 0) {
        break;
      }
      SortedMap<String, FsPath> names = new TreeMap<>();
      for (Cursor cursor = cursor(directory); cursor.next(); ) {
        String name = cursor.name();
        if (names.size() < room || name.compareTo(names.lastKey()) < 0) {
          names.put(name, cursor.path());
          if (names.size() > room) {
            names.remove(names.lastKey());
          }
        }
      }
      first.addAll(names.values());
    }
    return first;
  }
}
