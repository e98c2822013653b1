// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalFilesTest {

  @TempDir private Path directory;

  @Test
  void eachFileHasTheBytesAgainAndAgainAndAllAreReadAndRemoved() throws Exception {
    LocalFiles files = new LocalFiles(directory, 2, 6);

    files.write(new byte[] {1, 2, 3});

    assertThat(directory.resolve("file-0")).hasBinaryContent(new byte[] {1, 2, 3, 1, 2, 3});
    assertThat(directory.resolve("file-1")).hasBinaryContent(new byte[] {1, 2, 3, 1, 2, 3});
    files.read(new byte[4]);
    files.remove();
    assertThat(directory.toFile()).isDirectory();
    assertThat(directory.resolve("file-0")).doesNotExist();
    assertThat(directory.resolve("file-1")).doesNotExist();
  }

  @Test
  void aFileThatIsShorterIsNotedWhenItIsRead() throws Exception {
    LocalFiles files = new LocalFiles(directory, 1, 6);
    Path unused = Files.write(directory.resolve("file-0"), new byte[4]);

    assertThatThrownBy(() -> files.read(new byte[4]))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("read 4 bytes of 6");
  }
}
