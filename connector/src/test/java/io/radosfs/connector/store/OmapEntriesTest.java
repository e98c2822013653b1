// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OmapEntriesTest {

  private static SortedMap<String, byte[]> map(String... keysAndValues) {
    SortedMap<String, byte[]> map = new TreeMap<>(OmapKeyOrder.INSTANCE);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1].getBytes(UTF_8));
    }
    return map;
  }

  @Test
  void givesBackWhatWasPacked() {
    OmapEntries packed =
        OmapEntries.of(map("", "nothing", "ä", "", "\uffff", "1", "\ud83d\ude00", "2"));
    assertThat(packed.size()).isEqualTo(4);
    assertThat(packed.length()).isEqualTo(7 + 2 + 3 + 1 + 4 + 1);
    assertThat(List.of(packed.key(0), packed.key(1), packed.key(2), packed.key(3)))
        .isEqualTo(List.of("", "ä", "\uffff", "\ud83d\ude00"));
    assertThat(packed.value(0)).isEqualTo("nothing".getBytes(UTF_8));
    assertThat(packed.value(1)).isEmpty();
    assertThat(packed.value(3)).isEqualTo("2".getBytes(UTF_8));
    assertThat(packed.toMap().keySet()).containsExactly("", "ä", "\uffff", "\ud83d\ude00");
    assertThat(packed.toMap().get("\uffff")).isEqualTo("1".getBytes(UTF_8));
  }

  @Test
  void takesOtherValues() {
    OmapEntries packed = OmapEntries.of(map("", "nothing", "b", "two", "ä", ""));
    assertThat(packed.contains("ä")).isTrue();
    assertThat(packed.contains("othing")).isTrue();
    assertThat(packed.contains("twos")).isFalse();
    OmapEntries other =
        packed.withValues(
            value -> value.length == 3 ? new byte[0] : (value.length + "!").getBytes(UTF_8));
    assertThat(other.size()).isEqualTo(3);
    assertThat(other.key(0) + "=" + other.text(0)).isEqualTo("=7!");
    assertThat(other.key(1) + "=" + other.text(1)).isEqualTo("b=");
    assertThat(other.key(2) + "=" + other.text(2)).isEqualTo("ä=0!");
    assertThat(other.valueLength(2)).isEqualTo(2);
    assertThat(packed.valueLength(0)).isEqualTo(7);
  }

  @Test
  void ofNothing() {
    assertThat(OmapEntries.of(map()).isEmpty()).isTrue();
    assertThat(OmapEntries.of(map()).toMap()).isEmpty();
  }

  @Test
  void endsMustFitTheBytes() {
    assertThatThrownBy(() -> new OmapEntries(new byte[3], new int[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OmapEntries(new byte[1], new int[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
