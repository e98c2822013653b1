// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruCacheTest {

  private final LruCache<String, Integer> remembered = new LruCache<>(2);

  @Test
  void whatWasNotAskedForLongestIsForgotten() {
    remembered.put("a", 1);
    remembered.put("b", 2);
    assertThat(remembered.get("a")).hasValue(1);
    remembered.put("c", 3);
    assertThat(remembered.get("b")).isEmpty();
    assertThat(remembered.get("a")).hasValue(1);
    assertThat(remembered.get("c")).hasValue(3);
  }

  @Test
  void onlyTheValueThatIsRememberedCanBeForgotten() {
    assertThat(remembered.merge("a", 1, Integer::sum)).isEqualTo(1);
    assertThat(remembered.merge("a", 2, Integer::sum)).isEqualTo(3);
    assertThat(remembered.forget("a", 1)).isFalse();
    assertThat(remembered.get("a")).hasValue(3);
    assertThat(remembered.forget("a", 3)).isTrue();
    assertThat(remembered.get("a")).isEmpty();
    remembered.put("a", 4);
    remembered.forget("a");
    assertThat(remembered.get("a")).isEmpty();
  }
}
