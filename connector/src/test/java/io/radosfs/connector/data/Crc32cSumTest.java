// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class Crc32cSumTest {

  @Test
  void thePartsMakeTheWhole() throws IOException {
    Random random = new Random(20261123);
    for (int run = 0; run < 200; run++) {
      Crc32cSum sum = new Crc32cSum();
      CRC32C whole = new CRC32C();
      for (int part = random.nextInt(6); part > 0; part--) {
        byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(70_000)];
        random.nextBytes(bytes);
        CRC32C own = new CRC32C();
        own.update(bytes);
        whole.update(bytes);
        sum.add((int) own.getValue(), bytes.length);
      }
      assertThat(sum.crc32c()).isEqualTo((int) whole.getValue());
    }
  }
}
