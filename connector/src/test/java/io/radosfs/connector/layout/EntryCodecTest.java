// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryCodecTest {

  private static final Uid UID = new Uid("0123456789abcdef01234567");
  private static final FsPath PATH = new FsPath("a/b");
  private static final String FILE =
      "file 1 length=7 mtime=1763723000123 uid=0123456789abcdef01234567 mode=644 owner=spark"
          + " group=spark stripe=4194304 crc32c=9a2b3c4d";

  static Stream<Entry> entries() {
    Attributes plain = new Attributes(1_763_723_000_123L, 01755, "spark", "users");
    Attributes strange =
        new Attributes(-1, 0, "o w%n+=er", "größe")
            .withXattrs(Xattrs.NONE.with("user.a b", new byte[] {1, 2}).with("user.", new byte[0]));
    FileData data = new FileData(PATH, UID, true, 7, 1 << 22, Optional.empty());
    FileData moved =
        new FileData(
            new FsPath("x=y/c d%/é"), UID, false, FileData.MAX_STRIPES, 1, Optional.of("p ool"));
    return Stream.of(
        new Entry.OfFile(data, 0x9a2b3c4d, plain),
        new Entry.OfFile(moved, -1, strange),
        new Entry.OfDirectory(UID, plain),
        new Entry.OfDirectory(
            UID, strange, new DataLayout(Optional.of("p ool"), Optional.of(1 << 16))));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void givesBackWhatWasStored(Entry entry) throws IOException {
    assertThat(EntryCodec.decode(PATH, EntryCodec.encode(PATH, entry))).isEqualTo(entry);
  }

  /** As listings hold it. */
  @ParameterizedTest
  @MethodSource("entries")
  void isTheSameButForXattrsWithoutThem(Entry entry) throws IOException {
    byte[] stored = EntryCodec.encode(PATH, entry);
    byte[] shorter = EntryCodec.withoutXattrs(stored);
    Entry without = entry.withAttributes(entry.attributes().withoutXattrs());
    assertThat(EntryCodec.decode(PATH, shorter)).isEqualTo(without);
    assertThat(shorter == stored).isEqualTo(entry.equals(without));
    assertThat(new String(stored, UTF_8).contains(EntryCodec.XATTR_BEGINS))
        .isEqualTo(!entry.equals(without));
  }

  /** Nothing else of an intent is taken for one, whatever the transaction is called. */
  @ParameterizedTest
  @MethodSource("entries")
  void anIntentIsTheSameButForXattrsWithoutThem(Entry entry) throws IOException {
    WriteIntent intent = WriteIntent.replace("x.a b", UID, entry);
    Entry without = entry.withAttributes(entry.attributes().withoutXattrs());
    byte[] shorter = WriteIntent.withoutXattrs(intent.encode(PATH));
    assertThat(WriteIntent.decode(PATH, shorter))
        .isEqualTo(WriteIntent.replace("x.a b", UID, without));
    byte[] removal = WriteIntent.remove("x.a b", UID).encode(PATH);
    assertThat(WriteIntent.withoutXattrs(removal)).isSameAs(removal);
  }

  /** What a listing has told cannot be written back, and lose them. */
  @Test
  void whatIsLeftOutIsNotTakenForNothing() {
    Attributes plain = new Attributes(1, 0644, "me", "us");
    Entry file =
        new Entry.OfFile(new FileData(PATH, UID, true, 7, 1 << 22, Optional.empty()), 0, plain);
    Entry listed = file.withXattrsLeftOut(100);
    assertThatThrownBy(() -> EntryCodec.encode(PATH, listed))
        .isInstanceOf(IllegalStateException.class);
    Xattrs xattrs = listed.attributes().xattrs();
    assertThatThrownBy(() -> xattrs.with("user.a", new byte[1]))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> xattrs.value("user.a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(xattrs::names).isInstanceOf(IllegalStateException.class);
    assertThat(listed.attributes().withoutXattrs()).isEqualTo(plain);
    assertThat(file.withXattrsLeftOut(0)).isSameAs(file);
  }

  /** The stored form is what older clients wrote. */
  @Test
  void theStoredFormStays() throws IOException {
    Attributes attributes = new Attributes(1_763_723_000_123L, 0644, "spark", "spark");
    Entry file =
        new Entry.OfFile(
            new FileData(PATH, UID, true, 7, 1 << 22, Optional.empty()), 0x9a2b3c4d, attributes);
    assertThat(new String(EntryCodec.encode(PATH, file), UTF_8)).isEqualTo(FILE);
    String reordered =
        "file 1 group=spark crc32c=9a2b3c4d new=field mode=644 owner=spark stripe=4194304 mtime=1763723000123"
            + " uid=0123456789abcdef01234567 length=7";
    assertThat(EntryCodec.decode(PATH, reordered.getBytes(UTF_8))).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "file 2 length=7",
        FILE + " word",
        "file 1 length=7",
        "dir 1 mtime=1",
      })
  void refusesWhatIsNone(String stored) {
    assertThatThrownBy(() -> EntryCodec.decode(PATH, stored.getBytes(UTF_8)))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("e/b")
        .hasMessageContaining("a/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "length=7:length=x",
        "length=7:length=-1",
        "stripe=4194304:stripe=4194304000",
        "stripe=4194304:stripe=0",
        "mode=644:mode=9",
        "mode=644:mode=77777777777777",
        "uid=0:uid=X",
        "crc32c=9:crc32c=x",
        "owner=spark:owner=%zz",
        "mtime=1:mtime=x",
      })
  void refusesWhatIsDamaged(String change) {
    String[] fromTo = change.split(":", 2);
    String damaged = FILE.replace(fromTo[0], fromTo[1]);
    assertThat(damaged).isNotEqualTo(FILE);
    assertThatThrownBy(() -> EntryCodec.decode(PATH, damaged.getBytes(UTF_8)))
        .isInstanceOf(LayoutException.class);
  }
}
