// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The uids that a line of a job's record names are found whatever form the line has. */
class UidsInTextTest {

  private static final Pattern A_UID = Pattern.compile("(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])");
  private static final String SOME = "0123456789abcdef01234567";
  private static final String OTHER = "fedcba9876543210fedcba98";

  @Test
  void atTheBeginningAndTheEndAndInBetween() {
    assertThat(mentioned("a/" + SOME, "")).containsExactly(SOME);
    assertThat(mentioned("m/1", SOME)).containsExactly(SOME);
    assertThat(mentioned("m/1", SOME + " " + OTHER)).containsExactly(SOME, OTHER);
    assertThat(mentioned("m/" + SOME, "é" + OTHER + "é")).containsExactly(SOME, OTHER);
    // What ends the key does not go on in the value.
    assertThat(mentioned(SOME, OTHER)).containsExactly(SOME, OTHER);
  }

  @Test
  void whatIsLongerOrShorterIsNone() {
    assertThat(mentioned("m/1", SOME + "0")).isEmpty();
    assertThat(mentioned("m/1", SOME.substring(1))).isEmpty();
    assertThat(mentioned("m/1", SOME.toUpperCase(Locale.ROOT))).isEmpty();
    assertThat(mentioned("m/1", "g" + SOME + "G")).containsExactly(SOME);
  }

  /** As the regular expression that says what a uid is; drawn texts, with many runs of digits. */
  @Test
  void asTheExpressionSays() {
    Random random = new Random(20261127);
    int found = 0;
    for (int round = 0; round < 2000; round++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 200) {
        for (int digits = 22 + random.nextInt(5); digits > 0; digits--) {
          text.append("0123456789abcdef".charAt(random.nextInt(16)));
        }
        text.append(" gGA\u00e9\u20ac\n/".charAt(random.nextInt(8)));
      }
      List<String> expected = A_UID.matcher(text).results().map(MatchResult::group).toList();
      found += expected.size();
      assertThat(mentioned("", text.toString())).as("%s", text).isEqualTo(expected);
    }
    assertThat(found).isGreaterThan(1000);
  }

  private static List<String> mentioned(String key, String value) {
    return Lead.mentioned(key, value.getBytes(StandardCharsets.UTF_8)).stream()
        .map(Uid::value)
        .toList();
  }
}
