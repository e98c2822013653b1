// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.StreamCapabilities;
import org.junit.jupiter.api.Test;

class StripedDataOutputStreamTest {

  private final Fixture fixture = new Fixture();

  @Test
  void allThatADataOutputWritesIsThereAndCounted() throws IOException {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    writeSome(new DataOutputStream(expected));

    RecordingPublisher publisher = new RecordingPublisher();
    FileData file = Fixture.file();
    StripedDataOutputStream out =
        new StripedDataOutputStream(fixture.create(fixture.store("w"), file, publisher));
    try (out) {
      writeSome(out);
      assertThat(out.getPos()).isEqualTo(expected.size());
      assertThat(out.size()).isEqualTo(expected.size());
      assertThat(out.hasCapability(StreamCapabilities.ABORTABLE_STREAM)).isTrue();
      assertThat(out.hasCapability(StreamCapabilities.HFLUSH)).isFalse();
    }
    assertThat(out.getPos()).isEqualTo(expected.size());
    assertThat(fixture.read(fixture.store("r"), publisher.published))
        .isEqualTo(expected.toByteArray());
  }

  private static void writeSome(DataOutput out) throws IOException {
    for (int i = 0; i < 500; i++) {
      out.write(i);
      out.writeByte(i);
      out.writeShort(i);
      out.writeInt(i);
      out.writeLong(i);
      out.writeDouble(i);
      out.writeBoolean(true);
      out.writeUTF("ü" + i);
      out.writeBytes("bytes");
      out.writeChars("chars");
      out.write(new byte[] {1, 2, 3});
      out.write(new byte[] {1, 2, 3}, 1, 2);
    }
  }
}
