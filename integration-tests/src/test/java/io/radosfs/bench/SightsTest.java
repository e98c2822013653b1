// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class SightsTest {

  private final Sights sights = new Sights(Set.of("a", "b"), 3);

  @Test
  void listingsOfOneKindAreOnePhase() {
    sights.add(Set.of("a", "b"));
    sights.add(Set.of("b", "a"));
    sights.add(Set.of("x", "y", "z"));

    assertThat(sights.words()).isEqualTo("the old files (2 times), then the new files");
  }

  @Test
  void aPartSaysHowManyOfHowMany() {
    sights.add(Set.of("a"));
    sights.add(Set.of());
    sights.add(Set.of("x"));
    sights.add(Set.of("x", "y"));

    assertThat(sights.words())
        .isEqualTo(
            "a part of the old files, 1 of 2, then nothing,"
                + " then a part of the new files, 1 to 2 of 3 (2 times)");
  }

  @Test
  void oldAndNewFilesTogetherAreNeitherTheOldNorTheNew() {
    sights.add(Set.of("a", "b", "x", "y", "z"));

    assertThat(sights.words()).isEqualTo("old and new files together, 2 of 2 and 3 of 3");
  }

  @Test
  void whatComesBackIsAPhaseOfItsOwn() {
    sights.add(Set.of("a", "b"));
    sights.add(Set.of());
    sights.add(Set.of("a", "b"));

    assertThat(sights.words()).isEqualTo("the old files, then nothing, then the old files");
  }

  @Test
  void withoutAListingThereIsNothingToSay() {
    assertThat(sights.words()).isEqualTo("not looked at");
  }
}
