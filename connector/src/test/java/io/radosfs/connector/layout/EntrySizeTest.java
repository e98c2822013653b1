// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an entry is said to take at most is no less than what it takes, and not much more. */
class EntrySizeTest {

  private static final String TRANSACTION = "0123456789abcdef01234567-and-more-of-it";

  private static void check(FsPath path, Entry entry) {
    long most = EntryCodec.mostBytes(path.name(), entry);
    long keys =
        StoredText.bytes(IndexKeys.intent(path.name())).length
            + StoredText.bytes(IndexKeys.entry(path.name())).length;
    WriteIntent intent =
        entry instanceof Entry.OfDirectory directory
            ? WriteIntent.makeDirectory(TRANSACTION, directory)
            : WriteIntent.replace(TRANSACTION, entry.uid(), entry);
    assertThat(keys + intent.encode(path).length).isLessThanOrEqualTo(most);
    byte[] stored = EntryCodec.encode(path, entry);
    assertThat(keys + stored.length).isLessThanOrEqualTo(most);
    // As a listing has told it.
    Entry listed = entry.withXattrsLeftOut(stored.length - EntryCodec.withoutXattrs(stored).length);
    assertThat(keys + stored.length).isLessThanOrEqualTo(EntryCodec.mostBytes(path.name(), listed));
  }

  @Test
  void holdsForFilesAndDirectoriesOfAnyText() throws Exception {
    Xattrs xattrs =
        Xattrs.NONE.with("user.ü = \uD83D\uDE00", new byte[16_000]).with("user.b", new byte[0]);
    Uid uid = Uid.random();
    for (String name :
        List.of("a", "part-00001-x.c000.snappy.parquet", "ä %&=日本\uD83D\uDE00", "-_.*")) {
      FsPath path = FsPath.ROOT.child("d").child(name);
      for (Xattrs each : List.of(Xattrs.NONE, xattrs)) {
        Attributes attributes =
            new Attributes(Long.MAX_VALUE, 01777, "own er" + name, "gro/up" + name, each);
        FileData data =
            new FileData(
                FsPath.ROOT.child("o=" + name).child(name),
                uid,
                false,
                1L << 40,
                1 << 30,
                Optional.of("pool " + name));
        check(path, new Entry.OfFile(data, -1, attributes));
        check(
            path,
            new Entry.OfDirectory(
                uid,
                attributes,
                DataLayout.DEFAULT
                    .withPool(Optional.of("pool " + name))
                    .withObjectSize(Optional.of(Integer.MAX_VALUE))));
      }
    }
  }

  @Test
  void leavesRoomForManyNamesInOneOperation() throws Exception {
    FsPath path =
        new FsPath("warehouse/table/year=2024/month=01/part-00000-0123456789-abcd.parquet");
    FileData data = new FileData(path, Uid.random(), true, 1 << 30, 4 << 20, Optional.empty());
    Entry entry = new Entry.OfFile(data, 1, new Attributes(1_763_723_000_123L, 0644, "me", "us"));
    assertThat(EntryCodec.mostBytes(path.name(), entry)).isLessThan(1024);
  }
}
