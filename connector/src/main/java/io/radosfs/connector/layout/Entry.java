// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/** What a directory index holds for one child. {@link EntryCodec} defines its stored form. */
public sealed interface Entry permits Entry.OfFile, Entry.OfDirectory {

  Attributes attributes();

  /** The same child with other attributes. */
  Entry withAttributes(Attributes other);

  /** The same child without its extended attributes, which take so many stored bytes. */
  default Entry withXattrsLeftOut(long bytes) {
    return bytes == 0 ? this : withAttributes(attributes().withXattrs(Xattrs.leftOut(bytes)));
  }

  /** The identity: of the file's data, or of the directory since it was made. */
  Uid uid();

  /**
   * A file.
   *
   * @param crc32c CRC-32C of the whole content
   */
  record OfFile(FileData data, int crc32c, Attributes attributes) implements Entry {
    @Override
    public OfFile withAttributes(Attributes other) {
      return new OfFile(data, crc32c, other);
    }

    @Override
    public Uid uid() {
      return data.uid();
    }
  }

  /**
   * A directory. Its own index object may be missing, which reads as an empty directory.
   *
   * @param layout the layout of an index that is made later; an existing index has its own
   */
  record OfDirectory(Uid uid, Attributes attributes, DataLayout layout) implements Entry {

    /** With the file system's default layout. */
    public OfDirectory(Uid uid, Attributes attributes) {
      this(uid, attributes, DataLayout.DEFAULT);
    }

    @Override
    public OfDirectory withAttributes(Attributes other) {
      return new OfDirectory(uid, other, layout);
    }

    public OfDirectory withLayout(DataLayout other) {
      return new OfDirectory(uid, attributes, other);
    }
  }
}
