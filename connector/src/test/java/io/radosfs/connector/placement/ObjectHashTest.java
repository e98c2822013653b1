// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against what {@code ceph osd map} answers; an integration test asks it for many more. */
class ObjectHashTest {

  @ParameterizedTest
  @CsvSource({
    ",a,29eec818",
    "team,a,3c3d6244",
    ",a/b,2d0ad9e4",
    "team,a/b,76481458",
    ",ü x,6880701a",
    "team,ü x,8f43badd",
    ",0123456789ab,92f31ad0",
    "team,0123456789ab,1e1b795d",
    ",0123456789abcdef/ghi//xyz,8f907ee6",
    "team,0123456789abcdef/ghi//xyz,ea0ee0d8"
  })
  void hashesAsCephDoes(String namespace, String object, String raw) {
    int all = ObjectHash.placementGroup(namespace == null ? "" : namespace, object, 1 << 30);
    assertThat(all).isEqualTo(Integer.parseUnsignedInt(raw, 16) & ((1 << 30) - 1));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "8", "12", "100", "1000"})
  void everyGroupIsThereAndNoOther(int groups) {
    boolean[] met = new boolean[groups];
    for (int i = 0; i < 50 * groups; i++) {
      met[ObjectHash.placementGroup("", "object " + i, groups)] = true;
    }
    assertThat(met).doesNotContain(false);
  }
}
