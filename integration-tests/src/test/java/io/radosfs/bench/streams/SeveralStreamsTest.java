// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a local disk: the streams know only Hadoop's file system. */
final class SeveralStreamsTest {

  private static final long BYTES = 128 << 10;

  @TempDir java.nio.file.Path temporary;

  private FileSystem fileSystem;
  private Path directory;
  private SeveralStreams streams;

  @BeforeEach
  void open() throws IOException {
    fileSystem = FileSystem.getLocal(new Configuration());
    directory = new Path(new Path(temporary.toUri()), "files");
    streams = new SeveralStreams(fileSystem, directory);
  }

  @Test
  void eachStreamHasAFileOfThatSize() throws IOException {
    assertThat(streams.write(3, BYTES)).isPositive();

    assertThat(fileSystem.listStatus(directory))
        .hasSize(3)
        .extracting(FileStatus::getLen)
        .containsOnly(BYTES);
    assertThat(streams.read(3, BYTES)).isPositive();
  }

  @Test
  void whatIsReadMustBeAsMuchAsWasWritten() throws IOException {
    double unused = streams.write(2, BYTES);

    assertThatThrownBy(() -> streams.read(2, 2 * BYTES))
        .hasStackTraceContaining(
            "read 131072 bytes of 262144 from " + new Path(directory, "stream-0"));
  }

  @Test
  void aStreamThatFailsIsReported() throws IOException {
    double unused = streams.write(1, BYTES);

    assertThatThrownBy(() -> streams.read(2, BYTES)).hasMessage("a stream failed");
  }
}
