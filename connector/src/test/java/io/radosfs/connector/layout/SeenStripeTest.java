// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenStripeTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n/0123456789abcdef01234567",
        "n/0123456789abcdef01234567/",
        "n/0123456789abcdef01234567/28",
        "n/0123456789abcdef01234567/00000000",
        "n/0123456789abcdef01234567/7fffffff",
        "n/0123456789abcdef01234567/ffffffff",
        "n/0123456789abcdef01234567/0000002G",
        "n/0123456789abcdef01234567/00000028/1",
        "n/no-uid/00000028"
      })
  void otherKeysAreRefused(String key) {
    assertThatThrownBy(() -> SeenStripe.ofKey("//ledger/x", key))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("//ledger/x");
  }
}
