// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.layout.FileData;
import java.io.IOException;

/** A publisher that remembers what it was told, and fails when asked to. */
final class RecordingPublisher implements FilePublisher {

  FileData begun;
  int window;
  FileData published;
  int crc32c;
  FileData abandoned;
  IOException failBegin;
  Exception failPublish;

  @Override
  public void begin(FileData unfinished, int stripesUnderWay) throws IOException {
    if (begun != null) {
      throw new AssertionError("begun twice");
    }
    if (failBegin != null) {
      throw failBegin;
    }
    begun = unfinished;
    window = stripesUnderWay;
  }

  @Override
  public void publish(FileData finished, int crc) throws IOException {
    if (begun == null || published != null || abandoned != null) {
      throw new AssertionError("published out of turn");
    }
    if (failPublish instanceof IOException e) {
      throw e;
    }
    if (failPublish instanceof RuntimeException e) {
      throw e;
    }
    published = finished;
    crc32c = crc;
  }

  @Override
  public void abandon(FileData removed) {
    if (begun == null || published != null || abandoned != null) {
      throw new AssertionError("abandoned out of turn");
    }
    abandoned = removed;
  }
}
