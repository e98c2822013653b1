// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CephxKeyTest {

  private static final String KEY = "AQDBIKBn4sT9IRAAyE8aGLcqTvbSH9yO0vFQNQ==";

  @Test
  void knowsAKeyFromAnythingElse() {
    assertThat(CephxKey.isWellFormed(KEY)).isTrue();
    for (String other :
        new String[] {
          "", "!" + KEY, "'" + KEY + "'", KEY.substring(4), KEY.substring(0, 20), "AAAA", KEY + KEY
        }) {
      assertThat(CephxKey.isWellFormed(other)).as(other).isFalse();
    }
  }

  /** Of a real 20.2.4; the user is gone. */
  private static final String NEWER =
      "AgCeVQRrknr3EiAAqpPUpm9k68IgxeYZKZ0AAAAAAAAAAAAAAAAAAAAAAAA=";

  @Test
  void saysItsType() {
    assertThat(CephxKey.type(KEY)).contains(CephxKey.Type.AES);
    assertThat(CephxKey.type(NEWER)).contains(CephxKey.Type.AES256K);
    assertThat(CephxKey.type("AwCe" + NEWER.substring(4))).as("of type 3").isEmpty();
    assertThat(CephxKey.type("AgA=")).isEmpty();
    assertThat(CephxKey.Type.AES256K).hasToString("aes256k");
  }

  @Test
  void isFoundInItsFile(@TempDir Path folder) throws IOException {
    Path keyring = folder.resolve("keyring");
    Files.writeString(
        keyring,
        "[client.other]\n\tkey = %s\n[client.spark]\n\tcaps mon = \"allow r\"\n\tkey = %s\n"
            .formatted(NEWER, KEY));
    assertThat(Keyring.key(keyring, "client.spark")).contains(KEY);
    assertThat(Keyring.key(keyring, "client.other")).contains(NEWER);
    assertThat(Keyring.key(keyring, "client.nobody")).isEmpty();
    assertThat(Keyring.key(folder.resolve("none"), "client.spark")).isEmpty();
    assertThat(Keyring.only(Files.writeString(folder.resolve("key"), KEY + "\n"))).contains(KEY);
    assertThat(Keyring.only(folder.resolve("none"))).isEmpty();
  }
}
