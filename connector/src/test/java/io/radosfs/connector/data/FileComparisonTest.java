// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FileComparisonTest {

  private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.UTF_8);
  private static final FileData DATA =
      new FileData(new FsPath("f"), Uid.random(), true, CONTENT.length, 8, Optional.empty());

  private final FileComparison comparison =
      new FileComparison(
          new Entry.OfFile(DATA, crc32c(0, 10), new Attributes(7, 0644, "me", "us")));

  private static int crc32c(int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(CONTENT, from, length);
    return (int) crc.getValue();
  }

  private static Optional<StoredStripe> stripe(int length, int crc32c) {
    return Optional.of(
        new StoredStripe(
            length,
            Optional.of(DATA.uid().value()),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(crc32c)));
  }

  @Test
  void theWholeIsComparedByItsObjects() throws Exception {
    assertThat(comparison.stripe(0, stripe(8, crc32c(0, 8)))).isEmpty();
    assertThat(comparison.stripe(1, stripe(2, crc32c(8, 2)))).isEmpty();
    assertThat(comparison.whole()).isEmpty();
  }

  @Test
  void otherContentIsFound() throws Exception {
    assertThat(comparison.stripe(0, stripe(8, crc32c(0, 8)))).isEmpty();
    assertThat(comparison.stripe(1, stripe(2, crc32c(7, 2)))).isEmpty();
    assertThat(comparison.whole()).isPresent();
  }

  /** An OSD that does not answer must not make the file's content look wrong. */
  @Test
  void aFileOfWhichAnObjectCouldNotBeReadIsNotCompared() throws Exception {
    assertThat(comparison.stripe(1, stripe(2, crc32c(8, 2)))).isEmpty();
    assertThat(comparison.whole()).isEmpty();
  }
}
