// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import io.radosfs.connector.layout.FsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Scenarios with one to three of the directories, mostly, and few names; with fsck beside, and some
 * with many objects of other programs.
 */
public final class FocusedWorld extends NamespaceWorld {

  @Override
  public World drawn(SplittableRandom random) {
    List<FsPath> few = new ArrayList<>(DIRECTORIES);
    for (int n = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(3); n > 0; n--) {
      few.remove(random.nextInt(few.size()));
    }
    int some = random.nextBoolean() ? 1 : 1 + random.nextInt(NAMES.size());
    boolean adopts = random.nextInt(6) == 0;
    return new NamespaceWorld(few, NAMES.subList(NAMES.size() - some, NAMES.size())) {
      @Override
      public Step step(SplittableRandom random) {
        if (adopts && random.nextBoolean()) {
          return adopting(random);
        }
        return random.nextInt(26) == 0
            ? new NamespaceSteps.Check(random.nextBoolean())
            : super.step(random);
      }
    };
  }
}
