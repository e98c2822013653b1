// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.util.Optional;

/** Files as a job of Spark names them. */
final class SampleFiles {

  static final int OBJECT_SIZE = 4 << 20;
  static final Attributes ATTRIBUTES = new Attributes(1_763_723_000_123L, 0644, "spark", "spark");

  private SampleFiles() {}

  static FsPath path(int number) {
    return new FsPath(
        String.format(
            "warehouse/orders/year=2026/month=11/part-%05d-5f3c2a9e-7b1d-4c55-9d0e-2a4b6c8d0e1f"
                + "-c000.snappy.parquet",
            number));
  }

  /**
   * @param length in bytes
   */
  static FileData data(FsPath path, long length) {
    return new FileData(
        path, Uid.random(), true, length, OBJECT_SIZE, Optional.empty(), Optional.empty());
  }

  static Entry.OfFile entry(FsPath path) {
    return new Entry.OfFile(data(path, 32 << 20), 0x1dd8b44d, ATTRIBUTES);
  }
}
