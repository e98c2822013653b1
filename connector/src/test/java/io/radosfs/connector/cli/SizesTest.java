// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SizesTest {

  @Command
  private static final class Holder {
    @Mixin private Sizes sizes;
  }

  private static Sizes sizes(String... options) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(options);
    return holder.sizes;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1536, 1.5 KiB",
    "1048524, 1023.9 KiB",
    "1048525, 1.0 MiB",
    "1073741824, 1.0 GiB",
    "9223372036854775807, 8.0 EiB",
  })
  void areReadable(long bytes, String text) {
    assertThat(sizes().text(bytes)).isEqualTo(text);
    assertThat(sizes().inWords(bytes)).isEqualTo(text);
    assertThat(sizes("--bytes").text(bytes)).isEqualTo(Long.toString(bytes));
    assertThat(sizes("-b").inWords(bytes)).isEqualTo(bytes + " bytes");
  }
}
