// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What listings of a directory show of a job that replaces its files, in words. Listings that show
 * the same kind of thing are one phase.
 */
final class Sights {

  /** What one listing shows. */
  private enum Kind {
    OLD("the old files"),
    NOTHING("nothing"),
    PART_OF_OLD("a part of the old files"),
    PART_OF_NEW("a part of the new files"),
    MIXED("old and new files together"),
    NEW("the new files");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private record Look(Kind kind, int old, int fresh) {}

  private final Set<String> old;
  private final int fresh;
  private final List<Look> looks = new ArrayList<>();

  /**
   * Of a directory.
   *
   * @param old names of the files before the job
   * @param fresh how many files the job leaves if it succeeds
   */
  Sights(Set<String> old, int fresh) {
    this.old = Set.copyOf(old);
    this.fresh = fresh;
  }

  void add(Set<String> names) {
    Set<String> ofOld = new HashSet<>(names);
    ofOld.retainAll(old);
    int ofNew = names.size() - ofOld.size();
    looks.add(new Look(kind(ofOld.size(), ofNew), ofOld.size(), ofNew));
  }

  private Kind kind(int ofOld, int ofNew) {
    if (ofOld > 0 && ofNew > 0) {
      return Kind.MIXED;
    }
    if (ofOld > 0) {
      return ofOld == old.size() ? Kind.OLD : Kind.PART_OF_OLD;
    }
    if (ofNew == 0) {
      return Kind.NOTHING;
    }
    return ofNew == fresh ? Kind.NEW : Kind.PART_OF_NEW;
  }

  /** The phases, in their order, with how many listings showed each. */
  String words() {
    List<String> phases = new ArrayList<>();
    int begin = 0;
    for (int i = 1; i <= looks.size(); i++) {
      if (i == looks.size() || looks.get(i).kind != looks.get(begin).kind) {
        phases.add(phase(looks.subList(begin, i)));
        begin = i;
      }
    }
    return phases.isEmpty() ? "not looked at" : String.join(", then ", phases);
  }

  private String phase(List<Look> of) {
    Kind kind = of.get(0).kind;
    String times = of.size() == 1 ? "" : String.format(Locale.ROOT, " (%,d times)", of.size());
    return switch (kind) {
      case OLD, NEW, NOTHING -> kind.words + times;
      case PART_OF_OLD -> kind.words + ", " + range(of, true) + times;
      case PART_OF_NEW -> kind.words + ", " + range(of, false) + times;
      case MIXED -> kind.words + ", " + range(of, true) + " and " + range(of, false) + times;
    };
  }

  private String range(List<Look> of, boolean ofOld) {
    int least = of.stream().mapToInt(look -> ofOld ? look.old : look.fresh).min().orElseThrow();
    int most = of.stream().mapToInt(look -> ofOld ? look.old : look.fresh).max().orElseThrow();
    String count = least == most ? Integer.toString(least) : least + " to " + most;
    return count + " of " + (ofOld ? old.size() : fresh);
  }
}
