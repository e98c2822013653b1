// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DataLayoutTest {

  private static final DataLayout HOT =
      new DataLayout(Optional.of("hot pool"), Optional.of(1 << 20));
  private static final DataLayout SMALL = DataLayout.DEFAULT.withObjectSize(Optional.of(1024));

  private static String text(byte[] stored) {
    return new String(stored, StandardCharsets.UTF_8);
  }

  @Test
  void isTextThatAPersonReads() throws IOException {
    assertThat(text(HOT.encode())).isEqualTo("layout 1 pool=hot+pool stripe=1048576");
    assertThat(text(SMALL.encode())).isEqualTo("layout 1 stripe=1024");
    for (DataLayout layout : new DataLayout[] {HOT, SMALL}) {
      assertThat(DataLayout.decode("a/", "h.layout", layout.encode())).isEqualTo(layout);
    }
    for (String wrong :
        new String[] {"layout 2 pool=x", "layout 1 stripe=much", "x", "layout 1 p"}) {
      assertThatThrownBy(
              () -> DataLayout.decode("a/", "h.layout", wrong.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining("'h.layout' of RADOS object 'a/'");
    }
  }

  @Test
  void isKeptInADirectorysEntry() throws IOException {
    FsPath path = new FsPath("a/b");
    Uid uid = Uid.random();
    Attributes attributes = new Attributes(1, 0755, "me", "us");
    for (DataLayout layout : new DataLayout[] {DataLayout.DEFAULT, HOT, SMALL}) {
      Entry.OfDirectory entry = new Entry.OfDirectory(uid, attributes, layout);
      assertThat(EntryCodec.decode(path, EntryCodec.encode(path, entry))).isEqualTo(entry);
      assertThat(entry.withAttributes(attributes.withPermission(0700)).layout()).isEqualTo(layout);
    }
    assertThat(text(EntryCodec.encode(path, new Entry.OfDirectory(uid, attributes))))
        .isEqualTo("dir 1 mtime=1 uid=" + uid + " mode=755 owner=me group=us");
  }

  @Test
  void saysWhereANewFileGoes() {
    FsPath path = new FsPath("a/b");
    FileData hot = HOT.newFile(path, Uid.random(), true, 4096);
    assertThat(hot.pool()).contains("hot pool");
    assertThat(hot.objectSize()).isEqualTo(1 << 20);
    assertThat(DataLayout.of(hot, 4096)).isEqualTo(HOT);
    FileData plain = DataLayout.DEFAULT.newFile(path, Uid.random(), true, 4096);
    assertThat(plain.pool()).isEmpty();
    assertThat(plain.objectSize()).isEqualTo(4096);
    assertThat(DataLayout.of(plain, 4096)).isEqualTo(DataLayout.DEFAULT);
    assertThat(HOT.beside("hot pool", 1 << 20)).isEqualTo(DataLayout.DEFAULT);
    assertThat(HOT.beside("other", 4096)).isEqualTo(HOT);
  }
}
