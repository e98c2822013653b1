// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
