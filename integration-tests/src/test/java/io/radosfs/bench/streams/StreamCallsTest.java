// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a local disk: the calls know only Hadoop's file system. */
final class StreamCallsTest {

  private static final long BYTES = 2L * StreamCalls.CALL;

  @TempDir java.nio.file.Path temporary;

  private FileSystem fileSystem;
  private Path file;
  private StreamCalls calls;

  @BeforeEach
  void open() throws IOException {
    // Without checksums beside its files, which nobody may append to.
    fileSystem = FileSystem.getLocal(new Configuration()).getRawFileSystem();
    file = new Path(new Path(temporary.toUri()), "file");
    calls = new StreamCalls(fileSystem);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1024, StreamCalls.CALL})
  void theBytesAreTheSameWhateverTheCalls(int call) throws IOException {
    calls.write(file, BYTES, call);

    assertThat(fileSystem.getFileStatus(file).getLen()).isEqualTo(BYTES);
    calls.verify(file, BYTES);
    calls.read(file, BYTES);
  }

  @Test
  void otherBytesAreFound() throws IOException {
    calls.write(file, StreamCalls.CALL);
    try (var stream = fileSystem.append(file)) {
      stream.write(new byte[StreamCalls.CALL]);
    }

    calls.verify(file, StreamCalls.CALL);
    assertThatThrownBy(() -> calls.verify(file, BYTES))
        .hasMessage("other bytes than written to " + file + " at " + StreamCalls.CALL);
  }
}
