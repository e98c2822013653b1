// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.apache.hadoop.util.functional.RemoteIterators.filteringRemoteIterator;
import static org.apache.hadoop.util.functional.RemoteIterators.mappingRemoteIterator;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace.Child;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.DataChecksum;

/**
 * Makes Hadoop's values of what was looked up or listed. No RADOS operation, except for block
 * locations, see {@link BlockLocations}; those of a listing are asked for file by file, as it is
 * handed out. Thread-safe.
 */
record HadoopValues(PathTranslator paths, long blockSize, BlockLocations locations) {

  /** HDFS's default; a composite checksum does not depend on it. */
  private static final int BYTES_PER_CRC = 512;

  RadosFileStatus status(FsPath path, Entry entry) {
    return new RadosFileStatus(paths.toHadoop(path), entry, blockSize);
  }

  private RadosFileStatus status(Child child) {
    return status(child.path(), child.entry());
  }

  FileStatus[] statuses(List<Child> children) {
    return children.stream().map(this::status).toArray(FileStatus[]::new);
  }

  RemoteIterator<RadosFileStatus> listing(RemoteIterator<Child> children) {
    return mappingRemoteIterator(children, this::status);
  }

  /** Statuses with block locations. */
  RemoteIterator<LocatedFileStatus> located(RemoteIterator<Child> children, PathFilter filter) {
    return mappingRemoteIterator(
        filteringRemoteIterator(listing(children), status -> filter.accept(status.getPath())),
        this::located);
  }

  /** The same of the files alone. */
  RemoteIterator<LocatedFileStatus> locatedFiles(RemoteIterator<Child> children) {
    return mappingRemoteIterator(
        filteringRemoteIterator(children, child -> child.entry() instanceof Entry.OfFile),
        child -> located(status(child)));
  }

  private LocatedFileStatus located(RadosFileStatus status) {
    BlockLocation[] blocks =
        status.entry().orElseThrow() instanceof Entry.OfFile file
            ? locations.of(file, 0, status.getLen())
            : new BlockLocation[0];
    return new LocatedRadosFileStatus(status, blocks);
  }

  /**
   * Returns the blocks that a part of a file is in.
   *
   * @throws FileNotFoundException for a directory
   */
  BlockLocation[] blocks(FsPath path, Entry entry, long start, long length)
      throws FileNotFoundException {
    if (!(entry instanceof Entry.OfFile file)) {
      throw new FileNotFoundException(path + " is a directory, which has no blocks");
    }
    return locations.of(file, start, length);
  }

  /** Counts a tree; a directory counts itself. Holds none of its entries. */
  static ContentSummary summary(Entry top, RemoteIterator<Child> below) throws IOException {
    long length = 0;
    long files = 0;
    long directories = top instanceof Entry.OfDirectory ? 1 : 0;
    while (below.hasNext()) {
      if (below.next().entry() instanceof Entry.OfFile file) {
        files++;
        length += file.data().length();
      } else {
        directories++;
      }
    }
    return new ContentSummary.Builder()
        .length(length)
        .spaceConsumed(length)
        .fileCount(files)
        .directoryCount(directories)
        .build();
  }

  /**
   * Returns the recorded CRC-32C of a file.
   *
   * @return null for a part of the file, for which no checksum is recorded
   * @throws FileNotFoundException for a directory
   */
  static FileChecksum checksum(FsPath path, Entry entry, long length) throws FileNotFoundException {
    if (!(entry instanceof Entry.OfFile file)) {
      throw new FileNotFoundException(path + " is a directory, which has no checksum");
    }
    return length < file.data().length()
        ? null
        : new CompositeCrcFileChecksum(file.crc32c(), DataChecksum.Type.CRC32C, BYTES_PER_CRC);
  }
}
